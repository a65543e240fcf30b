#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking
import StoicLocalServer
import Testing

@Suite("The platform's requests", .timeLimit(.minutes(30)))
struct PlatformRequestTests {
  private func arrival(
    _ method: String = "GET", _ path: String = "/", headers: [String: String] = [:], body: String? = nil
  ) async throws -> LocalServer.Request {
    let server = try await LocalServer.start { _ in .text("well") }
    defer { server.stop() }
    _ = try await Platform().send(method, server, path, headers: headers, body: body)
    return try #require(server.requests.first)
  }

  @Test("Platform: a request line, and six fields that nobody asked for")
  func head() async throws {
    let server = try await LocalServer.start { _ in .text("well") }
    defer { server.stop() }
    _ = try await Platform().send("GET", server, "/books/42")
    let request = try #require(server.requests.first)
    #expect(request.head.hasPrefix("GET /books/42 HTTP/1.1\r\n"))
    let names = request.headers.map(\.name).sorted()
    #expect(names == ["Accept", "Accept-Encoding", "Accept-Language", "Connection", "Host", "User-Agent"])
    #expect(request.header("Host") == "127.0.0.1:\(server.port)")
    #expect(request.header("Accept") == "*/*")
    #expect(request.header("Connection") == "keep-alive")
    let codings = try #require(request.header("Accept-Encoding"))
    #expect(codings.contains("gzip") && codings.contains("deflate"))
    #expect(try #require(request.header("User-Agent")).contains("curl/"))
  }

  @Test("Platform: a GET with a body is not sent, a HEAD is sent without it")
  func bodies() async throws {
    let server = try await LocalServer.start { _ in .text("well") }
    defer { server.stop() }
    #expect(await Platform().failure("GET", server, body: "x") == .dataLengthExceedsMaximum)
    #expect(server.connectionsAccepted == 0)
    _ = try await Platform().send("HEAD", server, body: "x")
    #expect(server.requests.map(\.body) == [[]])
    #expect(server.requests.first?.header("Content-Length") == nil)
  }

  @Test(
    "Platform: a body without a type gets that of a form with POST, and none with other methods",
    arguments: [
      ("POST", "application/x-www-form-urlencoded"), ("PUT", nil), ("PATCH", nil), ("DELETE", nil),
    ] as [(String, String?)])
  func type(_ method: String, _ type: String?) async throws {
    #expect(try await arrival(method, body: "{}").header("Content-Type") == type)
  }

  @Test(
    "Platform: a Content-Length of the caller's is sent as it is, and what is left of the body is another request"
  )
  func length() async throws {
    let request = try await arrival(
      "POST", headers: ["Content-Length": "3", "Content-Type": "a/b"], body: "abcdef")
    #expect(request.text == "abc")
  }

  @Test(
    "Platform: of the reserved fields each is sent as the caller sets it",
    arguments: [
      "Host", "Connection", "Authorization", "Proxy-Authorization", "Proxy-Authenticate", "WWW-Authenticate",
    ])
  func reserved(_ name: String) async throws {
    #expect(try await arrival(headers: [name: "example.com"]).headers(name) == ["example.com"])
  }
}
#endif
