import Foundation
import StoicHTTP
import StoicTesting
import Testing

@Suite("Cases: which host is which")
struct HostCases {
  /// A client whose host's breaker opens at the second failure, and its script.
  private func client(base: String) -> (api: HTTPClient, rig: Rig) {
    var rig = Rig.carryingSecrets(base: base)
    rig.policy.retry.maxAttempts = 1
    rig.policy.breaker?.minimumCalls = 2
    rig.transport.on(.get("/x"), respond: [.status(500)])
    return (rig.api, rig)
  }

  @Test(
    "HI-04, HI-05: Spellings of one host share its state, and get the client's fields only as its very origin",
    arguments: [
      ("https://api.example.com", "https://api.example.com./x", false),
      ("https://api.example.com.", "https://api.example.com/x", false),
      ("https://api.example.com", "https://API.Example.COM./x", false),
      ("https://api.example.com", "https://API.example.com:443/x", true),
      ("https://api.example.com.", "https://api.example.com.:443/x", true),
      ("https://b\u{FC}cher.example", "https://xn--bcher-kva.example/x", true),
      ("https://xn--bcher-kva.example", "https://B\u{DC}CHER.example:443/x", true),
      ("https://XN--BCHER-KVA.example", "https://bu\u{308}cher.example/x", true),
      ("https://b\u{FC}cher.example", "https://b\u{FC}cher.example./x", false),
      ("http://[::AB]:80", "http://[::ab]/x", true),
    ])
  func spellings(base: String, other: String, isSameOrigin: Bool) async throws {
    let (api, rig) = client(base: base)
    _ = await rig.repeating(1, .get("/x"), over: api)
    _ = await rig.repeating(1, .get(makeURL(other)), over: api)
    #expect(rig.transport.requests.count == 2)
    #expect(rig.transport.requests.map { $0.headers.contains("Authorization") } == [true, isSameOrigin])
    let refused = await rig.repeating(1, .get(makeURL(other)), over: api)
    #expect(refused?.rejection?.reason == .breakerOpen && refused?.attempts == 0)
    #expect(await rig.repeating(1, .get("/x"), over: api)?.rejection?.reason == .breakerOpen)
    #expect(rig.transport.requests.count == 2 && api.knownHosts == 1)
  }

  @Test(
    "HI-04: Other hosts, ports and schemes have state of their own",
    arguments: [
      "https://api.example.com:8443/x", "http://api.example.com/x", "http://api.example.com:443/x",
      "https://api.example.com../x",
      "https://xapi.example.com/x", "https://api.example.co/x", "https://example.com/x",
    ])
  func others(other: String) async throws {
    let (api, rig) = client(base: "https://api.example.com")
    _ = await rig.repeating(2, .get("/x"), over: api)
    #expect(await rig.repeating(1, .get("/x"), over: api)?.rejection?.reason == .breakerOpen)
    #expect(await rig.repeating(1, .get(makeURL(other)), over: api)?.status == 500)
    #expect(rig.transport.requests.count == 3)
  }

  static let hostScalars = Set("abcdefghijklmnopqrstuvwxyz0123456789-._~".unicodeScalars)

  static let oddHosts = [
    "https://b\u{FC}cher.example/", "https://B\u{DC}CHER.example/", "https://bu\u{308}cher.example/",
    "https://b%C3%BCcher.example/",
    "https://fa\u{DF}.example/", "https://例え.テスト/", "https://a\u{3002}example/",
    "https://\u{24D4}xample.com/",
    "https://exa\u{AD}mple.com/", "https://\u{200D}.example/", "https://\u{1F4A5}.example/",
    "https://xn--.example/",
    "https://xn--\u{E9}.example/", "https://\u{FF21}.example/", "https://a\u{2024}b/",
    "https://\u{660}.example/",
    "https://\u{202E}moc.live/", "https://K\u{212A}.example/",
  ]

  @Test("HI-05: A host is sent in ASCII, never percent-encoded, or the URL is refused", arguments: oddHosts)
  func ascii(text: String) async throws {
    guard let url = URL(string: text) else { return }
    for base in [text, "https://api.example.com"] {
      var rig = Rig()
      rig.base = base
      let error = await rig.failure(base == text ? .get("/") : .get(url))
      guard let sent = rig.transport.requests.first else {
        _ = try #require(error?.refusal)
        continue
      }
      let host = try #require(sent.url.host(percentEncoded: true))
      #expect(host.unicodeScalars.allSatisfy { Self.hostScalars.contains($0) } && !host.isEmpty)
      #expect(sent.headers["Host"] == nil)
      if text.lowercased().contains("cher") && !text.contains("%") {
        #expect(host == "xn--bcher-kva.example")
      }
    }
  }

  @Test(
    "HI-07: A zone id, plain or escaped, is refused before any state is kept, and never reaches the wire",
    arguments: [
      "http://[fe80::1%25eth0]/x", "http://[fe80::1%25eth0]:8080/x", "http://[fe80::1%eth0]/x",
      "http://[FE80::1%251]/x",
      "http://[fe80::1%25]/x", "http://[::1%25lo%0d%0aX-Evil:1]/x",
    ])
  func zone(text: String) async throws {
    guard let url = URL(string: text) else { return }
    let rig = Rig()
    let api = rig.api
    #expect(await rig.repeating(1, .get(url), over: api)?.refusal != nil)
    #expect(rig.transport.requests.isEmpty && api.knownHosts == 0)
    var based = Rig()
    based.base = text
    #expect(await based.failure(.get("/x"))?.refusal != nil)
    let moved = Rig()
    moved.transport.on(.get("/x"), respond: [.redirect(302, to: text)])
    #expect(await moved.failure(.get("/x"))?.status == 302)
    #expect(moved.transport.requests.count == 1)
  }

  @Test(
    "HI-07: Addresses in brackets are hosts like others",
    arguments: [
      ("http://[::1]:8080/x", "http://[::1]:8080/x"), ("http://[FE80::1]/x", "http://[fe80::1]/x"),
      ("https://[::ffff:1.2.3.4]:443/x", "https://[::ffff:1.2.3.4]/x"),
    ])
  func brackets(text: String, expected: String) async throws {
    let rig = Rig()
    _ = await rig.failure(.get(makeURL(text)))
    #expect(rig.transport.requests.map(\.url.absoluteString) == [expected])
  }
}
