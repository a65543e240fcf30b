#if os(Linux) || os(macOS)
import Foundation
import Stoic
import StoicHTTP
import StoicLocalServer
import StoicTesting
import Testing

@Suite("libcurl's transport sends nothing twice", .timeLimit(.minutes(30)))
struct CurlGuardTests {
  /// What a server does with a request on a connection that was used before.
  private static let losses: [LocalServer.Response] = [
    .drop, .reset, .raw("HTTP/1"), .raw("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf"),
    .raw([.text("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf"), .reset]),
  ]

  @Test(
    "On a kept connection that is lost, a request reached the server once, and the failure says so",
    arguments: [HTTPMethod.get, .head, .post, .put, .patch, .delete, .options, .query], [0, 10, 1 << 20])
  func kept(_ method: HTTPMethod, _ count: Int) async throws {
    guard count == 0 || (method != .get && method != .head) else { return }
    for (number, loss) in Self.losses.enumerated() {
      for mayRepeat in [false, true] {
        let server = try await LocalServer.start { request in request.path == "/warm" ? .text("warm") : loss }
        defer { server.stop() }
        let transport = try CurlTransport()
        _ = try await transport.send(.to(server, "/warm"))
        let request = TransportRequest.to(
          server, "/", method, headers: count == 0 ? [:] : ["Content-Type": "a/b"],
          body: Array(repeating: 7, count: count), mayRepeat: mayRepeat)
        // A cut body of a response to HEAD is none.
        if method == .head, number > 2 {
          _ = try await transport.send(request)
        } else {
          await #expect(throws: TransportError(code: .networkConnectionLost, mayHaveActed: true), "\(number)")
          {
            _ = try await transport.send(request)
          }
        }
        // The kept connection was used, so that there was a danger.
        #expect(server.requests.map(\.connection) == [1, 1])
        #expect(transport.counts.sends == 2)
      }
    }
  }

  @Test("A connection that the server has closed in the meantime is not used, and a request is sent once")
  func stale() async throws {
    let server = try await LocalServer.start { request in
      .raw("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
    }
    defer { server.stop() }
    let transport = try CurlTransport()
    for method in [HTTPMethod.get, .post, .put, .delete] {
      #expect(try await transport.send(.to(server, "/", method)).text == "ok")
      await server.waitForOpenConnections(atMost: 0)
    }
    #expect(server.requests.map(\.method) == ["GET", "POST", "PUT", "DELETE"])
  }

  @Test("A request whose connection was lost while its server went away leaves nothing to the next one")
  func next() async throws {
    let transport = try CurlTransport()
    func order(_ server: LocalServer) -> TransportRequest {
      .to(server, "/", .post, headers: ["Content-Type": "a/b"], body: Array("order".utf8))
    }
    for _ in 0..<3 {
      let running = Lock<LocalServer?>(nil)
      let server = try await LocalServer.start { request in
        guard request.path != "/warm" else { return .text("warm") }
        // libcurl gets ready to send it again, and finds nobody to connect to.
        running.withLock { $0 }?.stop()
        return .drop
      }
      running.withLock { $0 = server }
      _ = try await transport.send(.to(server, "/warm"))
      // What libcurl hears of first, the loss or the refusal, is the system's choice.
      let error = await #expect(throws: TransportError.self) { _ = try await transport.send(order(server)) }
      #expect(error?.mayHaveActed == true)
      let other = try await LocalServer.start { request in .text(request.text) }
      defer { other.stop() }
      #expect(try await transport.send(order(other)).text == "order")
    }
  }

  @Test("The client's attempts are what the server saw, whatever the method", arguments: [false, true])
  func client(byReset: Bool) async throws {
    let loss: LocalServer.Response = byReset ? .reset : .drop
    let server = try await LocalServer.start { request in request.path == "/warm" ? .text("warm") : loss }
    defer { server.stop() }
    var policy = HTTPPolicy.standard
    policy.retry.base = .zero
    policy.retry.jitter = .none
    for method in [HTTPMethod.get, .put, .delete, .post, .patch] {
      let before = server.requests.count
      let api = HTTPClient(base: server.baseURL, transport: try CurlTransport(), policy: policy)
      let error = try await withClock(TestClock()) {
        _ = try await api.send(.get("/warm"))
        return await #expect(throws: HTTPError.self) {
          _ = try await api.send(HTTPRequest(method: method, path: "/"))
        }
      }
      #expect(error?.attempts == (method.isIdempotent ? 3 : 1))
      #expect(server.requests.count - before - 1 == error?.attempts)
    }
  }
}
#endif
