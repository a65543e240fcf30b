#if canImport(FoundationNetworking)
import Foundation
import StoicHTTP
import StoicLocalServer
import Testing

/// What ends the process, each in a process of its own: nothing above the platform can keep it from that.
@Suite("What a peer can do to the process on Linux", .timeLimit(.minutes(5)))
struct PlatformTrapTests {
  /// Sends one request to a server that answers so; a bar for each line end.
  private static func ask(_ answer: String) async throws {
    let server = try await LocalServer.start { _ in .raw(answer.replacing("|", with: "\r\n")) }
    _ = try? await URLSessionTransport().send(.to(server))
    server.stop()
  }

  @Test("Platform: the process ends when the peer closes in the middle of the header section")
  func cutHead() async {
    await #expect(processExitsWith: .failure) { try await PlatformTrapTests.ask("HTTP/1.1 200 OK|X-A: b|") }
  }

  @Test("Platform: the process ends at a trailer field, which is legal")
  func trailer() async {
    await #expect(processExitsWith: .failure) {
      try await PlatformTrapTests.ask("HTTP/1.1 200 OK|Transfer-Encoding: chunked||5|hello|0|X-A: b||")
    }
  }

  @Test("Platform: the process ends at the largest length that a signed number holds")
  func largestLength() async {
    await #expect(processExitsWith: .failure) {
      try await PlatformTrapTests.ask("HTTP/1.1 200 OK|Content-Length: 9223372036854775807||hello")
    }
  }

  @Test("Platform: an answer that is well leaves the process alone, in the same set-up")
  func control() async {
    await #expect(processExitsWith: .success) {
      try await PlatformTrapTests.ask("HTTP/1.1 200 OK|Content-Length: 5||hello")
    }
  }

  @Test("Platform: http_proxy in the environment is used, for 127.0.0.1 too, and no_proxy takes it back")
  func environmentProxy() async {
    await #expect(processExitsWith: .success) {
      let proxy = try await LocalServer.start { _ in .text("from the proxy") }
      let server = try await LocalServer.start { _ in .text("from the server") }
      defer {
        proxy.stop()
        server.stop()
      }
      setenv("http_proxy", proxy.baseURL.absoluteString, 1)
      let proxied = try await URLSessionTransport().send(.to(server, "/a"))
      #expect(proxied.text == "from the proxy")
      #expect(proxy.requests.map(\.target) == ["http://127.0.0.1:\(server.port)/a"])
      setenv("no_proxy", "127.0.0.1", 1)
      #expect(try await URLSessionTransport().send(.to(server, "/a")).text == "from the server")
    }
  }
}
#endif
