#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking
import StoicHTTP
import StoicLocalServer
import Testing

/// Facts of the platform that stand in the way of a transport on it and harm nobody else.
@Suite("The platform's limits", .timeLimit(.minutes(30)))
struct PlatformLimitTests {
  @Test("Platform: names of the request's fields are spelled anew, and the response's ETag")
  func names() async throws {
    let server = try await LocalServer.start { _ in .text("", headers: ["x-odd-NAME": "a", "etag": "\"1\""]) }
    defer { server.stop() }
    let response = try await URLSessionTransport().send(.to(server, headers: ["x-odd-NAME": "a"]))
    let sent = try #require(server.requests.first).headers.map(\.name)
    #expect(sent.contains("X-Odd-Name") && !sent.contains("x-odd-NAME"))
    let came = response.headers.map(\.name)
    #expect(came.contains("x-odd-NAME") && came.contains("Etag"))
  }

  @Test("Platform: a URL with an address of version 6 is refused, and nothing is sent")
  func addressOfVersion6() async throws {
    let url = try #require(URL(string: "http://[::1]:1/"))
    await #expect(throws: TransportError(code: .badURL, mayHaveActed: false)) {
      _ = try await URLSessionTransport().send(TransportRequest(method: .get, url: url))
    }
  }

  @Test("Platform: a proxy that is set in the configuration is not used")
  func configuredProxy() async throws {
    let server = try await LocalServer.start { _ in .text("from the server") }
    let proxy = try await LocalServer.start { _ in .text("from the proxy") }
    defer {
      server.stop()
      proxy.stop()
    }
    let configuration = Platform.configuration
    configuration.connectionProxyDictionary = [
      "HTTPEnable": 1, "HTTPProxy": "127.0.0.1", "HTTPPort": proxy.port,
    ]
    let session = URLSession(configuration: configuration)
    defer { session.finishTasksAndInvalidate() }
    let (data, _) = try await session.data(for: URLRequest(url: server.baseURL, timeoutInterval: 3_600))
    #expect(String(decoding: data, as: UTF8.self) == "from the server")
    #expect(proxy.connectionsAccepted == 0)
  }

  @Test(
    "Platform: a response is refused for what is legal or harmless in its head",
    arguments: [
      "HTTP/1.1 200 OK|X-A: \u{0}|Content-Length: 5||hello",
      "HTTP/1.1 200 OK|no colon|Content-Length: 5||hello",
      "HTTP/1.1 200 OK|X-A : b|Content-Length: 5||hello", "HTTP/1.1 200 OK|X-A:b|Content-Length: 5||hello",
      "HTTP/1.1 200 OK\nContent-Length: 5\n\nhello",
    ])
  func refusedHead(_ answer: String) async throws {
    let server = try await LocalServer.start { _ in .raw(lines: answer) }
    defer { server.stop() }
    await #expect(throws: TransportError(code: .badServerResponse, mayHaveActed: true)) {
      _ = try await URLSessionTransport().send(.to(server))
    }
  }

  @Test("Platform: a byte of ISO-8859-1 in a head makes the response a failure")
  func latin1() async throws {
    let head = Array("HTTP/1.1 200 OK\r\nX-A: ".utf8) + [0xFF] + Array("\r\nContent-Length: 0\r\n\r\n".utf8)
    let server = try await LocalServer.start { _ in .raw(head) }
    defer { server.stop() }
    await #expect(throws: TransportError(code: .badServerResponse, mayHaveActed: true)) {
      _ = try await URLSessionTransport().send(.to(server))
    }
  }
}
#endif
