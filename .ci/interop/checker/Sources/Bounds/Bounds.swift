import Foundation
import StoicHTTP

/// What one response costs that is far over its limit: `Bounds PORT TRANSPORT OFFER`.
///
/// PORT is that of the server that says what it is told to. It prints how many bytes left the server, and how much memory
/// this process had at its peak above what it had before.
@main
struct Bounds {
  static let limit = 10_000_000

  static func main() async throws {
    let arguments = CommandLine.arguments.dropFirst()
    guard arguments.count == 3, let port = arguments.first, let path = offers[arguments[3]],
      let base = URL(string: "http://127.0.0.1:\(port)")
    else {
      print("Bounds PORT curl|urlsession \(offers.keys.sorted().joined(separator: "|"))")
      exit(2)
    }
    let transport: any HTTPTransport = arguments[2] == "curl" ? try CurlTransport() : URLSessionTransport()
    let agent = "bounds-\(ProcessInfo.processInfo.processIdentifier)"
    var policy = HTTPPolicy.standard
    policy.maxResponseBytes = limit
    policy.attemptTimeout = .seconds(300)
    let client = HTTPClient(base: base, transport: transport, policy: policy, headers: ["User-Agent": agent])
    // All that an exchange needs is loaded by then.
    for _ in 0..<3 { try await client.send(.get("/warm")) }
    let sentBefore = try await sent(by: base, to: agent)
    let idle = try memory("VmRSS")
    try "5".write(toFile: "/proc/self/clear_refs", atomically: false, encoding: .utf8)
    do {
      try await client.send(.get(path))
      print("the response was not too large")
      exit(1)
    } catch HTTPError.responseTooLarge {}
    let peak = try memory("VmHWM") - idle
    // The server may be at it still, until it hears that the connection has ended.
    var counts = [0, try await sent(by: base, to: agent)]
    while counts.suffix(2).first != counts.last {
      try await Task.sleep(for: .milliseconds(50))
      counts.append(try await sent(by: base, to: agent))
    }
    print("\(arguments[3]) \((counts.last ?? 0) - sentBefore) bytes \(peak) kB")
  }

  /// Some 2 GiB each, as the path that asks for it.
  private static let offers = [
    "declared": "/play/say.\(text("HTTP/1.1 200 OK|Content-Length: 2147483648||"))/fill.\(kilobyte).2097152",
    "undeclared": "/play/say.\(text("HTTP/1.1 200 OK||"))/fill.\(kilobyte).2097152",
    "chunked":
      "/play/say.\(text("HTTP/1.1 200 OK|Transfer-Encoding: chunked||80000000|"))/fill.\(kilobyte).2097152",
    "gzip": "/play/say.\(text("HTTP/1.1 200 OK|Content-Encoding: gzip||"))/gzip.AAAA.715827882.1/fin",
    "stacked":
      "/play/say.\(text("HTTP/1.1 200 OK|Content-Encoding: gzip, gzip||"))/gzip.AAAA.715827882.2/fin",
  ]

  private static let kilobyte = text(String(repeating: "a", count: 1_024))

  private static func text(_ text: String) -> String {
    Data(text.replacing("|", with: "\r\n").utf8).base64EncodedString()
      .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
  }

  private static func sent(by base: URL, to agent: String) async throws -> Int {
    // On a transport of its own, lest it be counted.
    let teller = HTTPClient(base: base)
    return try await teller.send(.get("/tally", query: ["of": agent])).json()["sent"]?.int ?? -1
  }

  /// A line of this process's status, in kilobytes.
  private static func memory(_ name: String) throws -> Int {
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = status.split(separator: "\n").first { $0.hasPrefix(name) } ?? ""
    return line.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) } ?? -1
  }
}
