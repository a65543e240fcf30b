import Foundation
import StoicHTTP
import StoicLocalServer
import Testing

/// What the article shows of `URLSession`, seen through the client, where no other suite shows it.
@Suite("The article's claims, for the client", .timeLimit(.minutes(30)))
struct ArticleTests {
  @Test(
    "A response is classified by its status, and then by its type", arguments: WireTransport.all)
  func outcomes(_ wire: WireTransport) async throws {
    let answers: [String: LocalServer.Response] = [
      "/books/42": .json(#"{"id":42}"#),
      "/shouted": LocalServer.Response(
        status: 200, headers: ["Content-Type": "Application/JSON; charset=UTF-8"], body: [.text("{}")]),
      "/portal": LocalServer.Response(
        status: 200, headers: ["Content-Type": "text/html"], body: [.text("<html>Log in</html>")]),
      "/untyped": LocalServer.Response(status: 200, body: [.text("{}")]),
      "/busy": .text("slow down", status: 429, headers: ["Retry-After": "30"]),
      "/deleted": .status(204), "/same": .status(304), "/who": .status(401), "/odd": .status(499),
      "/worse": .status(599), "/moved": .status(302), "/explode": .text("boom", status: 500),
    ]
    let expected: [String: HTTPOutcome] = [
      "/books/42": .success(Array(#"{"id":42}"#.utf8)), "/shouted": .success(Array("{}".utf8)),
      "/portal": .unexpectedType("text/html"), "/untyped": .unexpectedType(nil),
      "/busy": .rateLimited(retryAfter: .seconds(30)), "/deleted": .noContent, "/same": .notModified,
      "/who": .unauthorized, "/odd": .clientError(499), "/worse": .serverError(599),
      "/moved": .unexpectedStatus(302), "/explode": .serverError(500),
    ]
    let server = try await LocalServer.start { request in answers[request.path] ?? .status(404) }
    defer { server.stop() }
    let transport = wire()
    for (path, outcome) in expected {
      #expect(try await transport.send(.to(server, path)).outcome() == outcome, "\(path)")
    }
  }

  @Test(
    "A loop of redirects ends after 21 requests, and the redirect is the answer", arguments: WireTransport.all
  )
  func loop(_ wire: WireTransport) async throws {
    let server = try await LocalServer.start { _ in .status(302, headers: ["Location": "/loop"]) }
    defer { server.stop() }
    let error = await WireClient(server, on: wire).start(.get("/loop")).httpError
    guard case .status(302, _, _, let call)? = error else { throw Unexpected(error) }
    #expect(call.attempts == 1)
    #expect(server.requests.count == 21)
  }

  @Test(
    "A PUT that is redirected by 301, 302, 307, 308 arrives with its body, by 303 as a GET",
    arguments: WireTransport.all, [301, 302, 303, 307, 308])
  func put(_ wire: WireTransport, _ status: Int) async throws {
    let server = try await LocalServer.start { request in
      request.path == "/here" ? .status(status, headers: ["Location": "/there"]) : .text("there")
    }
    defer { server.stop() }
    let request = HTTPRequest(method: .put, path: "/here", body: .bytes([1, 2, 3])).header(
      "Content-Type", "a/b")
    let response = try await WireClient(server, on: wire).send(request)
    #expect(response.url.path == "/there")
    let arrival = try #require(server.requests.last)
    #expect(arrival.method == (status == 303 ? "GET" : "PUT"))
    #expect(arrival.body == (status == 303 ? [] : [1, 2, 3]))
    #expect(arrival.header("Content-Type") == (status == 303 ? nil : "a/b"))
  }

  @Test(
    "The client refuses a length or a host of the caller's, and a body without a type",
    arguments: WireTransport.all)
  func refused(_ wire: WireTransport) async throws {
    let server = try await LocalServer.start { _ in .status(200) }
    defer { server.stop() }
    let body = HTTPRequest.Body.bytes(Array("abcdef".utf8))
    let requests = [
      HTTPRequest(
        method: .post, path: "/", headers: ["Content-Length": "3", "Content-Type": "text/plain"], body: body),
      HTTPRequest.get("/").header("Host", "example.com"), HTTPRequest(method: .post, path: "/", body: body),
    ]
    for request in requests {
      let error = await WireClient(server, on: wire).start(request).httpError
      guard case .invalidRequest? = error else { throw Unexpected(error) }
    }
    #expect(server.connectionsAccepted == 0)
  }

  @Test("Every call that a bulkhead lets in has a connection at once", arguments: WireTransport.all)
  func bulkhead(_ wire: WireTransport) async throws {
    let gate = LocalServer.Gate()
    let server = try await LocalServer.start { _ in
      await gate.wait()
      return .text("well")
    }
    defer { server.stop() }
    let client = WireClient(server, on: wire) { $0 = .server }
    let calls = (0..<64).map { client.start(.get("/\($0)")) }
    #expect(await server.waitForRequests(64))
    gate.open()
    for call in calls { #expect(try await call.value.text == "well") }
  }
}
