import Foundation
import StoicHTTP

/// What the server that says what it is told to is told: the path of a request, step by step.
struct Script: Sendable {
  private(set) var path = "/play"

  /// Answers before the request's body has been read; only as the first step.
  func early() -> Script { adding("early") }

  /// Says a text, a bar for each line end.
  func say(_ text: String) -> Script { say(Self.bytes(text)) }

  func say(_ bytes: some Sequence<UInt8>) -> Script { adding("say." + Self.encoded(bytes)) }

  /// Says a text so many times.
  func fill(_ text: String, times count: Int) -> Script {
    adding("fill.\(Self.encoded(Self.bytes(text))).\(count)")
  }

  /// Says what a text so many times is, packed so often.
  func gzip(_ text: String, times count: Int, depth: Int = 1) -> Script {
    adding("gzip.\(Self.encoded(Self.bytes(text))).\(count).\(depth)")
  }

  func wait(milliseconds count: Int) -> Script { adding("wait.\(count)") }

  /// Ends the connection in order.
  func end() -> Script { adding("fin") }

  /// Ends the connection by a reset.
  func reset() -> Script { adding("rst") }

  /// A text as it is said: a bar is a line end.
  static func bytes(_ text: String) -> [UInt8] { Array(text.replacing("|", with: "\r\n").utf8) }

  private func adding(_ step: String) -> Script {
    var script = self
    script.path += "/" + step
    return script
  }

  private static func encoded(_ bytes: some Sequence<UInt8>) -> String {
    Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing(
      "=", with: "")
  }
}

/// What becomes of a response that a server has made up.
enum Fate: Equatable {
  /// A success with that text.
  case text(String)
  /// The failure of an answer with that status.
  case status(Int)
  /// The connection was lost.
  case lost
  /// The response makes no sense.
  case senseless
  /// The body cannot be unpacked.
  case packedBadly
  /// The body is over the limit.
  case tooLong
  case other(String)

  init(_ answer: Answer) {
    switch answer.ending {
    case .success: self = .text(answer.text)
    case .status(let status): self = .status(status)
    case .transport(.networkConnectionLost): self = .lost
    case .transport(.badServerResponse): self = .senseless
    case .transport(.cannotDecodeContentData): self = .packedBadly
    case .tooLarge: self = .tooLong
    default: self = .other("\(answer.ending)")
    }
  }
}

extension Probe {
  /// A client of the server that says what it is told to, which sends every request once and holds none back.
  func rawOnce(_ adjust: (inout HTTPPolicy) -> Void = { _ in }) -> Party {
    raw { policy in
      policy.retry.maxAttempts = 1
      policy.breaker = nil
      policy.coalescesGETs = false
      policy.maxConcurrentPerHost = 32
      policy.queueLimitPerHost = 100_000
      adjust(&policy)
    }
  }

  /// What the server that says what it is told to has seen of this check.
  struct Sight: Equatable {
    var requests: Int
    var connections: Int
    /// How many connections are open.
    var open: Int
    /// How many bytes left it.
    var sent: Int
  }

  func sight() async throws -> Sight {
    let teller = HTTPClient(base: site.url("raw"), transport: transport.make(trusting: nil))
    let json = try await teller.send(.get("/tally", query: ["of": agent])).json()
    let number = { (name: String) in json[name]?.int ?? -1 }
    return Sight(
      requests: number("requests"), connections: number("connections"), open: number("open"),
      sent: number("sent"))
  }

  /// Sends a request for each response, and holds what became of it against what should.
  ///
  /// - Parameter instead: what becomes of it on a transport that cannot do better, and why.
  func expect(
    _ rows: [(response: String, fate: Fate)], instead: (fate: Fate, reason: String)? = nil,
    file: String = #fileID, line: Int = #line
  ) async throws {
    let server = rawOnce()
    let answers = await server.askAll(rows.map { .get(Script().say($0.response).end().path) })
    var wrong: [String] = []
    for (row, answer) in zip(rows, answers) {
      let wanted = transport == .urlsession ? instead?.fate ?? row.fate : row.fate
      if Fate(answer) != wanted {
        wrong.append("\(Fate(answer)), not \(wanted), of \(row.response.prefix(200))")
      }
      if let error = answer.error, !error.call.mayHaveActed { wrong.append("not acted on: \(row.response)") }
    }
    let limit = instead.map { Limit.urlsession([String](), $0.reason) }
    try expect(wrong, [], limit: limit, file: file, line: line)
    try await wire(.raw, rows.count, file: file, line: line)
  }
}
