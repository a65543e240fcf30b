#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking
import StoicLocalServer
import Testing

@Suite("The platform's redirects", .timeLimit(.minutes(30)))
struct PlatformRedirectTests {
  private func server() async throws -> LocalServer {
    try await LocalServer.start { request in
      guard request.path != "/echo" else { return .text("\(request.method) body=\(request.body.count)") }
      let status = Int(request.path.dropFirst()) ?? 302
      return .status(status, headers: ["Location": request.path == "/loop" ? "/loop" : "/echo"])
    }
  }

  @Test(
    "Platform: a redirected POST loses its body, and with 301, 302, 303 its method",
    arguments: [(301, "GET"), (302, "GET"), (303, "GET"), (307, "POST"), (308, "POST")])
  func post(_ status: Int, _ method: String) async throws {
    let server = try await server()
    defer { server.stop() }
    let answer = try await Platform().send("POST", server, "/\(status)", body: #"{"title":"Dune"}"#)
    #expect(answer.status == 200)
    #expect(answer.response.url?.path == "/echo")
    #expect(answer.text == "\(method) body=0")
  }

  @Test(
    "Platform: a redirected PUT keeps its method and loses its body", arguments: [301, 302, 303, 307, 308])
  func put(_ status: Int) async throws {
    let server = try await server()
    defer { server.stop() }
    let answer = try await Platform().send("PUT", server, "/\(status)", body: "x")
    #expect(answer.text == (status == 303 ? "GET body=0" : "PUT body=0"))
  }

  @Test(
    "Platform: what the caller set travels along to another port, credentials too",
    arguments: ["Authorization", "Cookie", "Proxy-Authorization", "X-API-Key"])
  func credentials(_ name: String) async throws {
    let second = try await LocalServer.start { _ in .text("there") }
    let place = second.baseURL.appending(path: "/there").absoluteString
    let first = try await LocalServer.start { _ in .status(302, headers: ["Location": place]) }
    defer {
      first.stop()
      second.stop()
    }
    #expect(try await Platform().send("GET", first, headers: [name: "secret"]).text == "there")
    #expect(second.requests.map { $0.header(name) } == ["secret"])
  }

  @Test("Platform: a loop of redirects ends after 21 requests")
  func loop() async throws {
    let server = try await server()
    defer { server.stop() }
    #expect(await Platform().failure("GET", server, "/loop") == .httpTooManyRedirects)
    #expect(server.requests.count == 21)
  }

  @Test("Platform: a delegate that wants no redirect is given it")
  func refused() async throws {
    let server = try await server()
    defer { server.stop() }
    let answer = try await Platform(delegate: Refusing()).send("POST", server, "/302", body: "x")
    #expect(answer.status == 302)
    #expect(server.requests.count == 1)
  }

  private final class Refusing: NSObject, URLSessionTaskDelegate {
    func urlSession(
      _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
      newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
    ) { completionHandler(nil) }
  }
}
#endif
