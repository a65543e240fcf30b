import Foundation
import StoicHTTP
import StoicLocalServer
import Testing

@Suite("Redirects and challenges are answers", .timeLimit(.minutes(30)))
struct AnswerAsItCameTests {
  @Test(
    "A redirect comes back with its fields, and nobody follows it",
    arguments: WireTransport.each([300, 301, 302, 303, 307, 308], [HTTPMethod.get, .post]))
  func redirect(_ wire: WireTransport, _ status: Int, _ method: HTTPMethod) async throws {
    let server = try await LocalServer.start { request in
      request.path == "/"
        ? .text("moved", status: status, headers: ["Location": "/next", "X-A": "b"]) : .text("no")
    }
    defer { server.stop() }
    let transport = wire()
    let response = try await transport.send(.to(server, "/", method))
    #expect(response.status == status)
    #expect(response.headers["Location"] == "/next")
    #expect(response.headers["X-A"] == "b")
    #expect(response.url == server.baseURL.appending(path: "/"))
    // The transport is still fit for use, and nothing was sent in between.
    #expect(try await transport.send(.to(server, "/other")).text == "no")
    #expect(server.requests.map(\.path) == ["/", "/other"])
  }

  @Test(
    "A redirect that leads nowhere comes back with its fields", arguments: WireTransport.all,
    [301, 302, 303, 307, 308])
  func nowhere(_ wire: WireTransport, _ status: Int) async throws {
    let server = try await LocalServer.start { _ in .text("moved", status: status, headers: ["X-A": "b"]) }
    defer { server.stop() }
    let response = try await wire().send(.to(server))
    #expect(response.status == status)
    #expect(response.headers["X-A"] == "b")
  }

  @Test(
    "A 401 comes back whole, whatever it asks for",
    arguments: WireTransport.each(
      [
        "Basic realm=\"a\"", "basic realm=a", "Digest realm=\"a\", nonce=\"b\"", "Bearer", "Negotiate", "?",
        "Basic realm=\"a\", Bearer",
      ], [HTTPMethod.get, .head, .post]))
  func challenge(_ wire: WireTransport, _ challenge: String, _ method: HTTPMethod) async throws {
    let server = try await LocalServer.start { _ in
      .text("who are you", status: 401, headers: ["WWW-Authenticate": challenge])
    }
    defer { server.stop() }
    let response = try await wire().send(.to(server, "/", method))
    #expect(response.status == 401)
    #expect(response.headers["WWW-Authenticate"] == challenge)
    #expect(response.text == (method == .head ? "" : "who are you"))
    #expect(server.requests.count == 1)
  }

  @Test("No cookie is kept", arguments: WireTransport.all)
  func cookies(_ wire: WireTransport) async throws {
    let server = try await LocalServer.start { _ in .text("", headers: ["Set-Cookie": "a=1; Path=/"]) }
    defer { server.stop() }
    let transport = wire()
    for _ in 0..<2 { _ = try await transport.send(.to(server)) }
    _ = try await transport.send(.to(server, "/", .post))
    #expect(server.requests.map { $0.header("Cookie") } == [nil, nil, nil])
  }

  @Test("Nothing is answered from a cache", arguments: WireTransport.all)
  func cache(_ wire: WireTransport) async throws {
    let server = try await LocalServer.start { _ in .text("a", headers: ["Cache-Control": "max-age=3600"]) }
    defer { server.stop() }
    let transport = wire()
    for _ in 0..<2 { _ = try await transport.send(.to(server)) }
    #expect(server.requests.count == 2)
  }
}
