import Foundation
import StoicHTTP
import StoicLocalServer
import StoicTesting
import Testing

/// The exercise that the article on the wire ends with: 503 with `Retry-After: 1` twice, then 200.
@Suite("The article's exercise", .timeLimit(.minutes(30)))
struct ExerciseTests {
  /// `Retry-After` in seconds, and as a date measured from the answer's own.
  private static let waits: [KeyValuePairs<String, String>] = [
    ["Retry-After": "1"],
    ["Retry-After": "Mon, 01 Jun 2026 12:00:01 GMT", "Date": "Mon, 01 Jun 2026 12:00:00 GMT"],
  ]

  private func server(busy: Int, _ wait: KeyValuePairs<String, String>) async throws -> LocalServer {
    let busy = Array(repeating: LocalServer.Response.status(503, headers: wait), count: busy)
    return try await .start(script: busy + [.json(#"{"id":42}"#)])
  }

  @Test(
    "A GET waits the second that the server asks for, in either form, and the third request brings the answer",
    arguments: WireTransport.all, waits.indices)
  func get(_ wire: WireTransport, form: Int) async throws {
    let server = try await server(busy: 2, Self.waits[form])
    defer { server.stop() }
    let client = WireClient(server, on: wire)
    let call = client.start(.get("/books/42"))
    for number in 1...2 { await client.pass(retry: number, .seconds(1)) }
    #expect(try await call.value.outcome() == .success(Array(#"{"id":42}"#.utf8)))
    #expect(client.waits == ["1s", "1s"])
    #expect(client.clock.now.offset == .seconds(2))
    #expect(server.requests.map(\.method) == ["GET", "GET", "GET"])
  }

  @Test(
    "A GET gives up after three attempts, and says what the server asked for", arguments: WireTransport.all)
  func givesUp(_ wire: WireTransport) async throws {
    let server = try await server(busy: 3, Self.waits[0])
    defer { server.stop() }
    let client = WireClient(server, on: wire)
    let call = client.start(.get("/books/42"))
    for number in 1...2 { await client.pass(retry: number, .seconds(1)) }
    let error = await call.httpError
    guard case .status(503, _, retryAfter: .seconds(1), let record)? = error else { throw Unexpected(error) }
    #expect(record.attempts == 3)
    #expect(server.requests.count == 3)
  }

  // Nobody can tell from a 503 whether the server did something before it gave up. A GET asks for no change, so asking
  // again does no harm; each POST may be another order.
  @Test(
    "A POST is not sent again: the server may have acted, and it may not be repeated",
    arguments: WireTransport.all, [HTTPMethod.post, .patch])
  func post(_ wire: WireTransport, _ method: HTTPMethod) async throws {
    let server = try await server(busy: 2, Self.waits[0])
    defer { server.stop() }
    let error = await WireClient(server, on: wire).start(HTTPRequest(method: method, path: "/books"))
      .httpError
    guard case .status(503, _, retryAfter: .seconds(1), let record)? = error else { throw Unexpected(error) }
    #expect(record.attempts == 1)
    #expect(!record.mayRepeat)
    #expect(record.mayHaveActed)
    #expect(server.requests.map(\.method) == [method.name])
  }

  @Test("A POST with a key is sent again, since the server can tell a repeat", arguments: WireTransport.all)
  func keyed(_ wire: WireTransport) async throws {
    let server = try await server(busy: 2, Self.waits[0])
    defer { server.stop() }
    let client = WireClient(server, on: wire)
    let call = client.start(HTTPRequest(method: .post, path: "/books"), key: "book-7")
    for number in 1...2 { await client.pass(retry: number, .seconds(1)) }
    #expect(try await call.value.status == 200)
    #expect(server.requests.map { $0.headers("Idempotency-Key") } == Array(repeating: ["book-7"], count: 3))
  }

  @Test(
    "By its outcome alone a single answer says the same: the server's fault, and nothing about a repeat",
    arguments: WireTransport.all, [HTTPMethod.get, .post])
  func outcome(_ wire: WireTransport, _ method: HTTPMethod) async throws {
    let server = try await server(busy: 1, Self.waits[0])
    defer { server.stop() }
    let transport = wire()
    #expect(try await transport.send(.to(server, "/books", method)).outcome() == .serverError(503))
    #expect(
      try await transport.send(.to(server, "/books", method)).outcome() == .success(Array(#"{"id":42}"#.utf8))
    )
    // Whether to ask again is the method's to say.
    #expect(method.isIdempotent == (method == .get))
  }
}
