import Foundation
import StoicHTTP
import StoicLocalServer
import Testing

@Suite("What the server saw is what the client reports", .timeLimit(.minutes(30)))
struct AttemptCountTests {
  /// How an exchange goes wrong, each time.
  enum Fault: CaseIterable {
    /// The connection ends before a byte of the answer, by FIN or RST.
    case end, reset
    /// It ends in the middle of the body.
    case endInBody
    /// There is an answer, which asks to come again.
    case unavailable

    var response: LocalServer.Response {
      switch self {
      case .end: .drop
      case .reset: .reset
      case .endInBody: .raw(lines: "HTTP/1.1 200 OK|Content-Length: 100||hello")
      case .unavailable: .status(503)
      }
    }
  }

  struct Cell: Sendable, CustomTestStringConvertible {
    let method: HTTPMethod
    var key: String?
    let fault: Fault
    let isReused: Bool

    var testDescription: String {
      "\(method)\(key == nil ? "" : " with a key"), \(fault), \(isReused ? "reused" : "fresh")"
    }
    var isSafe: Bool { [.get, .head, .options].contains(method) }
    var attempts: Int { key == nil && [.post, .patch].contains(method) ? 1 : 3 }
    /// The platform's own repeat, which nobody hears of: once, of what came over a connection used before.
    var isRepeatedUnseen: Bool { isReused && isSafe && (fault == .end || fault == .reset) }

    static let all = [HTTPMethod.get, .head, .options, .put, .delete, .post, .patch].flatMap { method in
      ([.post, .patch].contains(method) ? [nil, "k-1"] : [nil]).flatMap { key in
        Fault.allCases.flatMap { fault in
          [false, true].map { Cell(method: method, key: key, fault: fault, isReused: $0) }
        }
      }
    }
    // An answer to HEAD has no body to end in.
    .filter { $0.method != .head || $0.fault != .endInBody }
  }

  @Test(
    "Each attempt is one request, whatever the method, the fault and the connection, but for what the platform repeats",
    arguments: WireTransport.all, Cell.all)
  func counted(_ wire: WireTransport, _ cell: Cell) async throws {
    let server = try await LocalServer.start { request in
      request.path == "/warm" ? .text("warm") : cell.fault.response
    }
    defer { server.stop() }
    let client = WireClient(server, on: wire)
    if cell.isReused { _ = try await client.send(.get("/warm")) }
    let body = cell.isSafe ? [] : Array("one order".utf8)
    var request = HTTPRequest(method: cell.method, path: "/x")
    if !cell.isSafe {
      request.body = .bytes(body)
      request = request.header("Content-Type", "text/plain")
    }
    let call = client.start(request, key: cell.key)
    for (number, wait) in [(1, Duration.milliseconds(200)), (2, .milliseconds(400))]
    where number < cell.attempts {
      await client.pass(retry: number, wait)
    }
    let error = await call.httpError
    switch (cell.fault, error) {
    case (.unavailable, .status(503, _, _, _)?), (_, .transport(.networkConnectionLost, _)?): break
    default: throw Unexpected(error)
    }
    #expect(error?.attempts == cell.attempts)
    let unseen = cell.isRepeatedUnseen && wire.has(.repeatsSafeRequests) ? 1 : 0
    let arrivals = server.requests.filter { $0.path == "/x" }
    #expect(arrivals.count == cell.attempts + unseen)
    #expect(arrivals.allSatisfy { $0.body == body })
  }

  @Test(
    "A connection that the server closed after an answer costs no attempt and no second request",
    arguments: WireTransport.all, [HTTPMethod.get, .head, .put, .post])
  func closedBetween(_ wire: WireTransport, _ method: HTTPMethod) async throws {
    let server = try await LocalServer.start { request in
      request.path == "/warm" ? .raw(lines: "HTTP/1.1 200 OK|Content-Length: 4||warm") : .text("well")
    }
    defer { server.stop() }
    let client = WireClient(server, on: wire)
    _ = try await client.send(.get("/warm"))
    #expect(try await client.send(HTTPRequest(method: method, path: "/x")).status == 200)
    #expect(server.requests.map(\.path) == ["/warm", "/x"])
  }
}
