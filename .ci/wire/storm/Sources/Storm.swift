import Foundation
import StoicHTTP

/// The program: sends requests by the thousand, takes as many back, and looks at what the process holds meanwhile.
///
/// `storm [TRANSPORT] [requests=N] [cancellations=N] [callers=N] [seed=N]`. The server is a process of its own; some of
/// its answers are slow. Requests are taken back at random moments. It fails when something hangs or grows.
@main
enum Storm {
  /// The transports that it can run on; another one is one more line.
  static let transports: [String: @Sendable () throws -> any HTTPTransport] = [
    "urlsession": { URLSessionTransport() },
    "curl": { try CurlTransport() },
  ]

  static func main() async {
    var arguments = CommandLine.arguments.dropFirst()
    if arguments.first == "serve" { return await Server.serve() }
    let name = arguments.first.flatMap { $0.contains("=") ? nil : $0 } ?? "urlsession"
    if arguments.first == name { arguments.removeFirst() }
    guard let make = transports[name], let plan = Plan(arguments) else {
      fail("usage: storm [\(transports.keys.sorted().joined(separator: "|"))] \(Plan.usage)")
    }
    do {
      print("transport \(name), \(plan)")
      try await Run(plan: plan, make: make).run()
      print("storm: no trap, no hang, nothing that grows")
    } catch {
      fail("storm: \(error)")
    }
  }

  static func fail(_ text: String) -> Never {
    FileHandle.standardError.write(Data((text + "\n").utf8))
    exit(1)
  }
}

/// What a storm does, from its command line.
struct Plan: CustomStringConvertible {
  static let usage = "[requests=N] [cancellations=N] [callers=N] [seed=N]"

  var requests = 100_000
  var cancellations = 50_000
  var callers = 32
  var seed: UInt64 = 1

  init?(_ arguments: some Sequence<String>) {
    for argument in arguments {
      let parts = argument.split(separator: "=")
      guard parts.count == 2, let number = Int(parts[1]), number >= 0 else { return nil }
      switch parts[0] {
      case "requests": requests = number
      case "cancellations": cancellations = number
      case "callers": callers = max(1, number)
      case "seed": seed = UInt64(number)
      default: return nil
      }
    }
  }

  var description: String {
    "requests=\(requests) cancellations=\(cancellations) callers=\(callers) seed=\(seed)"
  }
}
