#if os(Linux)
import CCurl
import Foundation
import Stoic
import StoicHTTP
import StoicLocalServer
import Testing

/// Some of it in processes of their own: what a process loads, and which threads it has, is its own affair.
@Suite("The transport of a client that names none", .timeLimit(.minutes(30)))
struct DefaultTransportTests {
  /// How many threads of this process move bytes for libcurl.
  private static var threads: Int {
    let folder = "/proc/self/task"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.count { name in
      (try? String(contentsOfFile: "\(folder)/\(name)/comm", encoding: .utf8)) == "stoic-curl\n"
    }
  }

  @Test("All such clients share a thread, which starts with the first request, and connections")
  func shared() async {
    await #expect(processExitsWith: .success) {
      let server = try await LocalServer.start { _ in .text("well") }
      let clients = (0..<3).map { HTTPClient(base: server.baseURL, label: "\($0)") }
      #expect(DefaultTransportTests.threads == 0)
      for client in clients { try await client.send(.get("/")) }
      #expect(DefaultTransportTests.threads == 1)
      #expect(server.requests.map(\.connection) == [1, 1, 1])
      server.stop()
    }
  }

  @Test(
    "What ends a process on the platform's transport is an error or an answer here",
    arguments: [
      ("HTTP/1.1 200 OK|X-A: b|", nil), ("HTTP/1.1 200 OK|X-A: b", nil),
      ("HTTP/1.1 200 OK|Transfer-Encoding: chunked||5|hello|0|X-A: b||", "hello"),
      ("HTTP/1.1 200 OK|Content-Length: 9223372036854775807||hello", nil),
    ] as [(String, String?)])
  func survives(_ answer: String, _ text: String?) async throws {
    let server = try await LocalServer.start(raw: answer)
    defer { server.stop() }
    var policy = HTTPPolicy.standard
    policy.retry.maxAttempts = 1
    policy.attemptTimeout = .seconds(3_600)
    let api = HTTPClient(base: server.baseURL, policy: policy)
    do {
      #expect(try await api.send(.get("/")).text == text)
    } catch {
      #expect(text == nil)
      switch error as? HTTPError {
      case .transport(.networkConnectionLost, _), .responseTooLarge: break
      default: throw Unexpected(error)
      }
    }
  }

  @Test("A client that names no transport uses no proxy, whatever the environment says")
  func proxy() async {
    await #expect(processExitsWith: .success) {
      let server = try await LocalServer.start { _ in .text("direct") }
      for name in ["http_proxy", "all_proxy", "HTTP_PROXY", "ALL_PROXY"] {
        setenv(name, "http://127.0.0.1:1", 1)
      }
      #expect(try await HTTPClient(base: server.baseURL).send(.get("/")).text == "direct")
      server.stop()
    }
  }

  @Test(
    "Without libcurl each call fails unsent and says why, and another transport can be named",
    arguments: [
      ("/nowhere/libcurl.so.4", "cannot open shared object file"),
      ("libz.so.1", "it has no curl_global_init"),
    ])
  func absent(_ library: String, _ reason: String) async {
    await #expect(processExitsWith: .success) { [library, reason] in
      // Never freed, since it is kept.
      stoic_curl_look_only_for(strdup(library))
      let server = try await LocalServer.start { _ in .text("well") }
      let api = HTTPClient(base: server.baseURL)
      for request in [HTTPRequest.get("/"), .post("/")] {
        let error = await #expect(throws: HTTPError.self) { try await api.send(request) }
        #expect(error?.attempts == 0)
        #expect(error?.retryAdvice == .final)
        let text = error.map { "\($0)" } ?? ""
        #expect(text.hasPrefix("the request was not sent: CurlTransport needs libcurl 7.68 or later"))
        #expect(text.contains(reason))
      }
      #expect("\(api)".contains(reason))
      #expect(throws: CurlTransport.Unavailable.self) { try CurlTransport() }
      #expect(server.connectionsAccepted == 0)
      // Not the platform's: its libcurl loses some bytes in an exchange, which a process under the address sanitizer does not
      // survive.
      let scripted = ScriptedTransport()
      scripted.on(.any, respond: [.bytes(Array("well".utf8))])
      let named = HTTPClient(base: server.baseURL, transport: scripted)
      #expect(try await named.send(.get("/")).text == "well")
      server.stop()
    }
  }
}
#endif
