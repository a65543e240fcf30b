#if os(Linux) || os(macOS)
import Foundation
import StoicHTTP
import StoicLocalServer
import Testing

@Suite("Proxies of libcurl's transport", .timeLimit(.minutes(30)))
struct CurlProxyTests {
  private static let elsewhere = URL(string: "http://elsewhere.invalid/a?b=c")

  private func transport(through proxy: CurlTransport.Proxy) throws -> CurlTransport {
    var configuration = CurlTransport.Configuration()
    configuration.proxy = proxy
    // It is real time, and the answer to CONNECT is a task's work here, on a machine that may be busy.
    configuration.connectTimeout = .seconds(3_600)
    return try CurlTransport(configuration)
  }

  @Test("A proxy is asked in its own form, and for nothing else")
  func asked() async throws {
    let server = try await LocalServer.start { _ in .text("through") }
    defer { server.stop() }
    let url = try #require(Self.elsewhere)
    let transport = try transport(through: .url(server.baseURL))
    #expect(try await transport.send(TransportRequest(method: .get, url: url)).text == "through")
    #expect(server.requests.map(\.headers).allSatisfy { !$0.contains { $0.name == "Proxy-Authorization" } })
    #expect(server.requests.first?.head.hasPrefix("GET http://elsewhere.invalid/a?b=c HTTP/1.1\r\n") == true)
  }

  @Test("An exception is asked directly, and so is everything without a proxy")
  func exceptions() async throws {
    let server = try await LocalServer.start { _ in .text("direct") }
    defer { server.stop() }
    let nowhere = try #require(URL(string: "http://127.0.0.1:1"))
    for proxy in [
      CurlTransport.Proxy.url(nowhere, except: ["127.0.0.1"]), .url(nowhere, except: ["*"]), .none,
    ] {
      #expect(try await transport(through: proxy).send(.to(server)).text == "direct")
    }
  }

  @Test("A proxy that is not there is a failed connection, and nothing was sent")
  func absent() async throws {
    let url = try #require(Self.elsewhere)
    for (proxy, code) in [
      ("http://127.0.0.1:1", URLError.Code.cannotConnectToHost), ("http://nobody.invalid", .cannotFindHost),
    ] {
      let transport = try transport(through: .url(try #require(URL(string: proxy))))
      await #expect(throws: TransportError(code: code, mayHaveActed: false)) {
        _ = try await transport.send(TransportRequest(method: .post, url: url))
      }
    }
  }

  @Test("A tunnel that is refused is a failed connection, and nothing was sent", arguments: [403, 407, 502])
  func refused(_ status: Int) async throws {
    let server = try await LocalServer.start { _ in .status(status) }
    defer { server.stop() }
    let url = try #require(URL(string: "https://elsewhere.invalid/"))
    let transport = try transport(through: .url(server.baseURL))
    await #expect(throws: TransportError(code: .cannotConnectToHost, mayHaveActed: false)) {
      _ = try await transport.send(TransportRequest(method: .post, url: url))
    }
    #expect(server.requests.map(\.method) == ["CONNECT"])
  }

  @Test(
    "The environment names proxies, the one for plain HTTP in small letters only",
    arguments: [
      ([:], "", "", ""), (["http_proxy": "a", "https_proxy": "b", "no_proxy": "c"], "a", "b", "c"),
      (["HTTP_PROXY": "a", "HTTPS_PROXY": "b", "NO_PROXY": "c"], "", "b", "c"),
      (["ALL_PROXY": "d"], "d", "d", ""),
      (["all_proxy": "d", "http_proxy": "a", "HTTPS_PROXY": "b"], "a", "b", ""),
      (["https_proxy": "b", "HTTPS_PROXY": "x"], "", "b", ""),
    ] as [([String: String], String, String, String)])
  func environment(_ values: [String: String], _ http: String, _ https: String, _ exceptions: String) {
    let proxy = ResolvedProxy(.environment, environment: values)
    #expect([proxy.http, proxy.https, proxy.exceptions] == [http, https, exceptions])
    let none = ResolvedProxy(.none, environment: values)
    #expect([none.http, none.https, none.exceptions] == ["", "", ""])
  }
}
#endif
