#if os(Linux) || os(macOS)
import Foundation
import StoicHTTP
import StoicLocalServer
import Testing

@Suite("What libcurl's transport prints of itself", .timeLimit(.minutes(30)))
struct CurlPrivacyTests {
  /// Every text that Swift makes of a value.
  private func texts(_ value: some Any) -> [String] {
    var dumped = ""
    dump(value, to: &dumped)
    return ["\(value)", String(reflecting: value), dumped]
  }

  private func configuration(_ proxy: String) throws -> CurlTransport.Configuration {
    var configuration = CurlTransport.Configuration()
    configuration.proxy = .url(try #require(URL(string: proxy)), except: ["inside"])
    configuration.clientCertificate = CurlTransport.ClientCertificate(
      certificateFile: "a.pem", keyFile: "b.pem", password: "secret")
    return configuration
  }

  @Test("Neither a proxy's user nor a key's password is printed, by whatever holds them")
  func configured() throws {
    let configuration = try configuration("http://somebody:secret@proxy:8080/?secret")
    let transport = try CurlTransport(configuration)
    for text in texts(configuration) + texts(transport) + texts(configuration.proxy) + texts([transport]) {
      #expect(!text.contains("secret") && !text.contains("somebody"))
      #expect(text.contains("proxy:8080"))
    }
    for text in texts(configuration) { #expect(text.contains("a.pem")) }
    let resolved = ResolvedProxy(configuration.proxy, environment: [:])
    #expect("\(resolved)" == "one for http and https")
    for text in texts(resolved) { #expect(!text.contains("secret") && !text.contains("somebody")) }
    let client = HTTPClient(base: makeURL("http://h.example"), transport: transport)
    for text in texts(client) { #expect(!text.contains("secret") && !text.contains("somebody")) }
  }

  @Test(
    "Of a proxy in a form that hides its user nothing is printed",
    arguments: [
      "somebody:secret@proxy:8080", "http:somebody:secret@proxy:8080", "//somebody:secret@proxy:8080",
    ])
  func hidden(_ proxy: String) throws {
    let configuration = try configuration(proxy)
    for text in texts(configuration) + texts(try CurlTransport(configuration)) {
      #expect(!text.contains("secret") && !text.contains("somebody"))
    }
  }

  @Test(
    "What the environment said of a proxy is not printed",
    arguments: [
      (["http_proxy": "somebody:secret@proxy"], "one for http"), (["https_proxy": "secret"], "one for https"),
      (["no_proxy": "secret"], "none"), ([:], "none"),
    ] as [([String: String], String)])
  func environment(_ values: [String: String], _ expected: String) {
    let resolved = ResolvedProxy(.environment, environment: values)
    #expect("\(resolved)" == expected)
    for text in texts(resolved) { #expect(!text.contains("secret") && !text.contains("somebody")) }
  }

  @Test("Neither a request's fields and query nor a response's are printed while it is under way")
  func underWay() async throws {
    let server = try await LocalServer.start { _ in
      LocalServer.Response(status: 200, headers: ["X-Token": "secret"], body: [.bytes(Array("secret".utf8))])
    }
    defer { server.stop() }
    let transport = try CurlTransport()
    let url = makeURL("http://127.0.0.1:\(server.port)/a?secret")
    let (_, body) = try await transport.stream(
      TransportRequest(method: .get, url: url, headers: ["Authorization": "secret"]))
    for text in texts(body) + texts(transport) { #expect(!text.contains("secret")) }
    #expect("\(body)" == "body of the response to GET 127.0.0.1:\(server.port)/a")
    for try await piece in body { #expect(piece == Array("secret".utf8)) }
  }
}
#endif
