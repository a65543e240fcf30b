import Foundation
import StoicHTTP

/// A request as the server's own log tells of it.
struct Arrival: Sendable {
  let method: String
  let target: String
  let status: Int
  /// The idempotency key; empty without one.
  let key: String
  private let line: JSON

  /// A further field of the server's log; empty where it has none.
  subscript(_ name: String) -> String { line[name]?.string ?? line[name]?.int.map { "\($0)" } ?? "" }

  /// How many bytes of body the server has sent.
  var sent: Int { line["sent"]?.int ?? -1 }
  /// Which of the server's connections it came on, where it tells.
  var connection: Int { line["connection"]?.int ?? -1 }

  fileprivate init?(_ line: JSON) {
    self.line = line
    // One of the servers logs the request line as it came.
    let request = line["request"]?.string?.split(separator: " ").map(String.init) ?? []
    guard let method = line["method"]?.string ?? request.first,
      let target = line["target"]?.string ?? request.dropFirst().first, let status = line["status"]?.int
    else { return nil }
    (self.method, self.target, self.status) = (method, target, status)
    key = line["key"]?.string.map { $0 == "-" ? "" : $0 } ?? ""
  }
}

extension Site {
  /// How long a server's log is by now, in bytes.
  func logLength(of server: Server) -> Int { (try? log(of: server, from: 0).count) ?? 0 }

  /// What a server's log tells, from an offset on, of the requests of one agent.
  ///
  /// Of a request whose fields the server did not take it knows no agent: such a one has `agent` in its query.
  func arrivals(at server: Server, of agent: String, from offset: Int) throws -> [Arrival] {
    try String(decoding: log(of: server, from: offset), as: UTF8.self).components(separatedBy: "\n")
      .filter { $0.contains("\"\(agent)\"") || $0.contains("agent=\(agent)\"") }
      .map { line in
        guard let arrival = Arrival(try JSON(parsing: line)) else {
          throw Mismatch(description: "a line of the log of \(server) is not as configured: \(line)")
        }
        return arrival
      }
  }

  private func log(of server: Server, from offset: Int) throws -> Data {
    try Data(contentsOf: directory.appending(path: server.log)).dropFirst(offset)
  }
}
