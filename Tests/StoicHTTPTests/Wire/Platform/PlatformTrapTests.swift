#if canImport(FoundationNetworking)
import Foundation
import StoicHTTP
import StoicLocalServer
import Testing

/// What ends the process, each in a process of its own: nothing above the platform can keep it from that.
@Suite("What a peer can do to the process on Linux", .timeLimit(.minutes(30)))
struct PlatformTrapTests {
  /// Sends one request to a server that answers so; a bar for each line end.
  private static func ask(_ answer: String) async throws {
    let server = try await LocalServer.start { _ in .raw(lines: answer) }
    _ = try? await URLSessionTransport().send(.to(server))
    server.stop()
  }

  #if compiler(<6.4)
  @Test(
    "Platform: the process ends when the peer closes in the middle of the header section",
    arguments: [
      "HTTP/1.1 200 OK|", "HTTP/1.1 200 OK|X-A: b|", "HTTP/1.1 200 OK|X-A: b",
      "HTTP/1.1 100 Continue||HTTP/1.1 200 OK|X-A: b|", "HTTP/1.1 103 Early Hints|Link: a|",
    ])
  func cutHead(_ answer: String) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [answer] in
      try await PlatformTrapTests.ask(answer)
    }
    #expect(result?.said("there's no response") == true)
  }

  @Test(
    "Platform: the process ends at a trailer field, which is legal",
    arguments: [
      "HTTP/1.1 200 OK|Transfer-Encoding: chunked||5|hello|0|X-A: b||",
      "HTTP/1.1 302 Found|Location: /a|Transfer-Encoding: chunked||5|hello|0|X-A: b||",
    ])
  func trailer(_ answer: String) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [answer] in
      try await PlatformTrapTests.ask(answer)
    }
    #expect(result?.said("there's no response") == true)
  }
  #endif

  @Test(
    "Platform: the process ends at the 512 largest lengths that a signed number holds, whatever the answer",
    arguments: [
      "HTTP/1.1 200 OK|Content-Length: 9223372036854775807||hello",
      "HTTP/1.1 200 OK|Content-Length: 9223372036854775296||hello",
      "HTTP/1.1 302 Found|Location: /a|Content-Length: 9223372036854775807||",
      "HTTP/1.1 401 Who|Content-Length: 9223372036854775807||",
    ])
  func largestLength(_ answer: String) async {
    await #expect(processExitsWith: .failure) { [answer] in try await PlatformTrapTests.ask(answer) }
  }

  @Test(
    "Platform: other answers leave the process alone, in the same set-up",
    arguments: [
      "HTTP/1.1 200 OK|Content-Length: 5||hello",
      "HTTP/1.1 200 OK|Content-Length: 9223372036854775295||hello",
      "HTTP/1.1 200 OK|Transfer-Encoding: chunked||5|hello|0||",
    ])
  func control(_ answer: String) async {
    await #expect(processExitsWith: .success) { [answer] in try await PlatformTrapTests.ask(answer) }
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

extension ExitTest.Result {
  /// Whether the process that ended wrote this.
  fileprivate func said(_ text: String) -> Bool {
    String(decoding: standardErrorContent, as: UTF8.self).contains(text)
  }
}
#endif
