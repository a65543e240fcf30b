import Foundation
import StoicHTTP

/// `storm [TRANSPORT] [requests=N] [cancellations=N] [callers=N] [seed=N]`
///
/// Sends requests to a server in a process of its own, of which some are slow, then takes requests back at random
/// moments; prints what the process holds meanwhile, and fails when it holds more and more.
@main
enum Storm {
  /// The transports that it can run on; another one is one more line.
  static let transports: [String: @Sendable () -> any HTTPTransport] = [
    "urlsession": { URLSessionTransport() }
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
