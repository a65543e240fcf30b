import Foundation
import StoicHTTP
import StoicTesting
import Testing

@Suite("Cases: clumsy callers and bases")
struct ClumsyCases {
  @Test(
    "A base that cannot be used refuses every request, absolute ones as well, and is not shown",
    arguments: [
      "api.example.com", "/v1", "https:", "https:/h", "https:h/x", "ftp://SECRET/", "file:///SECRET",
      "data:,SECRET", "mailto:SECRET",
      "https://h:0/", "https://h:65536/", "//h/x", "https://SECRET@h/", "ws://h/", "https://?SECRET",
      "https://#SECRET",
    ])
  func bases(text: String) async throws {
    guard let base = URL(string: text) else { return }
    let rig = Rig()
    let api = HTTPClient(
      base: base, transport: rig.transport, policy: rig.policy, headers: ["Authorization": "SECRET"])
    for request in [HTTPRequest.get("/x"), .get(makeURL("https://other.example/x")), .post("/x").keyed("k")] {
      let error = await rig.failure { _ in try await api.send(request) } as? HTTPError
      #expect(error?.refusal != nil && error?.attempts == 0 && error?.call == CallRecord())
      #expect(!PrivacyTests.texts(error).contains("SECRET") && !PrivacyTests.texts(api).contains("SECRET"))
    }
    #expect(rig.transport.requests.isEmpty && api.knownHosts == 0)
    #expect(rig.events.events.map(\.name) == Array(repeating: "http.failed", count: 3))
  }

  @Test("A URL that is relative to another goes where the two together say")
  func relativeURL() async throws {
    let rig = Rig.carryingSecrets(base: "https://api.example.com")
    let url = try #require(URL(string: "../x?a=1#f", relativeTo: makeURL("https://other.example/a/b")))
    _ = await rig.failure(.get(url))
    #expect(rig.transport.requests.map(\.url.absoluteString) == ["https://other.example/x?a=1"])
    #expect(rig.sentNames == [["accept", "user-agent"]])
    let lost = try #require(URL(string: "x"))
    #expect(await rig.failure(.get(lost))?.refusal != nil && rig.transport.requests.count == 1)
  }

  @Test(
    "A redirect to another spelling of an international host stays at its origin; a raw one is not followed")
  func internationalRedirect() async throws {
    for base in ["https://b\u{FC}cher.example", "https://xn--bcher-kva.example"] {
      for (location, count) in [
        ("https://XN--BCHER-KVA.example:443/y", 2), ("//xn--bcher-kva.example/y", 2),
        ("https://b\u{FC}cher.example/y", 1),
        ("https://b%C3%BCcher.example/y", 1),
      ] {
        let rig = Rig.carryingSecrets(base: base)
        rig.transport.on(.get("/x"), respond: [.redirect(302, to: location)])
        rig.transport.on(.get("/y"), respond: [.status(200)])
        #expect(await rig.failure(.get("/x"))?.status == (count == 2 ? nil : 302))
        #expect(
          rig.transport.requests.map { $0.headers["Authorization"] }
            == Array(repeating: "Bearer SECRET", count: count))
      }
    }
  }

  @Test("Sizes that nobody means are sent or refused, and nothing takes for ever")
  func sizes() async throws {
    let rig = Rig()
    let long = String(repeating: "a/../%2e%2e/é;", count: 5_000)
    rig.transport.on(.get("/y"), respond: [.status(200)])
    rig.transport.on(
      .get("/x"),
      respond: [
        .redirect(302, to: "/" + long), .redirect(302, to: String(repeating: "../", count: 20_000) + "y"),
      ])
    _ = await rig.failure(.get("/" + long))
    _ = await rig.failure(.get("/x"))
    #expect(await rig.failure(.get("/x")) == nil)
    let name = String(repeating: "X", count: 20_000)
    #expect(await rig.failure(.get("/y").header(name, name).keyed(name)) == nil)
    #expect(await rig.failure(.get("/y", query: (0..<1_000).map { ("k\($0)", "é") })) == nil)
    #expect(rig.isClean && rig.elapsed == .zero)
  }

  @Test(
    "The same Location twice is one, two that differ are none",
    arguments: [("/y", "/y", true), ("/y", "/z", false), ("/y", "", false)])
  func twoLocations(first: String, second: String, isFollowed: Bool) async throws {
    let rig = Rig()
    rig.transport.on(.get("/x"), respond: [.status(302, headers: ["Location": first, "location": second])])
    rig.transport.on(.get("/y"), respond: [.status(200)])
    #expect(await rig.failure(.get("/x"))?.status == (isFollowed ? nil : 302))
    #expect(rig.transport.requests.count == (isFollowed ? 2 : 1))
  }
}
