import Foundation

/// Shows what a client does about a server that misbehaves; see `Usage.text`.
@main
enum StoicDemo {
  static func main() async {
    exit(await run(Invocation(CommandLine.arguments.dropFirst())))
  }

  /// Does what was asked for; returns the exit status.
  private static func run(_ invocation: Invocation) async -> Int32 {
    switch invocation {
    case .scenarios:
      return await Program(Scenario.all, on: .standard).run() ? 0 : 1
    case .fetch(let url):
      return await Fetch(url, on: .standard).run() ? 0 : 1
    case .outage(let path):
      return OutageShow(on: .standard).run(svg: path) ? 0 : 1
    case .help:
      Console.standard.write(Usage.text)
      return 0
    case .misuse(let reason):
      Console.error.write("stoic-demo: \(reason)\n\n\(Usage.text)")
      return 2
    }
  }
}
