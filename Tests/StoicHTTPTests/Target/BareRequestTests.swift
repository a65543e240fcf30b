import Foundation
import Stoic
import StoicHTTP
import StoicTesting
import Testing

/// The fast ways for requests that are a method and a path: they lead where the thorough ones do.
@Suite("Bare requests")
struct BareRequestTests {
  static let lookalikes = [
    ("/K", "/\u{212A}", "https://h/%E2%84%AA"), ("/a;b", "/a\u{37E}b", "https://h/a%CD%BEb"),
    ("/v;K", "/v\u{37E}\u{212A}", "https://h/v%CD%BE%E2%84%AA"),
  ]

  @Test("A path that Unicode holds equal to one asked for before is another path", arguments: lookalikes)
  func lookalike(plain: String, other: String, expected: String) async throws {
    #expect(plain == other)
    let transport = ScriptedTransport()
    let api = HTTPClient(base: makeURL("https://h"), transport: transport)
    for path in [plain, other, plain] { _ = try? await api.send(.get(path)) }
    #expect(
      transport.requests.map(\.url.absoluteString) == ["https://h" + plain, expected, "https://h" + plain])
  }

  static let bases = ["https://h", "https://h/", "https://h/v1/", "https://h/a%20b//", "http://[::1]:81/x;y"]
  private static let pieces = [
    "/", "/", "/", ".", "..", "a", "Z9", "-_~", "?", ";", "&", "=", "+", ",", "@", "!", "$", "*", "'", "()",
    ":", "#", "%2e",
    "%2F", "%", "\\", " ", "\u{E9}", "\u{301}", "K", "\u{212A}", "\u{37E}", "|", "\"", "\u{7F}",
  ]

  @Test("A path leads to the same place whether the short look is enough for it or not", arguments: bases)
  func places(base: String) async throws {
    var random = RandomSource.seeded(7)
    let transport = ScriptedTransport()
    let api = HTTPClient(base: makeURL(base), transport: transport)
    /// The URL that a request is sent to; nil where it is refused.
    func place(_ request: HTTPRequest) async -> String? {
      let before = transport.requests.count
      _ = try? await api.send(request)
      return transport.requests.count > before ? transport.requests.last?.url.absoluteString : nil
    }
    for _ in 0..<400 {
      let path =
        "/"
        + (0..<Int.random(in: 0..<6, using: &random)).map { _ in
          Self.pieces.randomElement(using: &random) ?? ""
        }
        .joined()
      let short = await place(.get(path))
      // An item of the query takes the long way.
      let long = await place(.get(path, query: ["z": nil]))
      let joint = short.map { $0.hasSuffix("?") ? "z" : $0.contains("?") ? "&z" : "?z" }
      #expect(long == short.flatMap { short in joint.map { short + $0 } }, "\(path)")
    }
  }

  static let clients: [HTTPHeaders] = [
    [:], ["Authorization": "Bearer 1", "X-API-Key": "2"], ["accept": "text/csv"], ["USER-AGENT": "mine"],
    ["Content-Type": "text/plain"], ["X-Tag": "1", "x-tag": "2"], ["Range": "bytes=0-1"],
  ]

  @Test(
    "A request without fields of its own carries what one with a field carries, and that field alone is missing",
    arguments: clients)
  func fields(client: HTTPHeaders) async throws {
    var rig = Rig()
    rig.headers = client
    let api = rig.api
    let elsewhere = makeURL("https://other.example/n")
    rig.transport.on(.any, respond: [.json("7")])
    for target in [HTTPRequest.get("/n"), .get(elsewhere), .head("/n")] {
      for request in [target, target.header("X-Own", "1")] {
        _ = try await api.send(request)
        _ = try? await api.send(request, decoding: .int)
        _ = try? await api.send(request, decoding: .int, expecting: "application/x")
      }
      let sent = rig.transport.requests.suffix(6).map(\.headers)
      for (bare, full) in zip(sent.prefix(3), sent.suffix(3)) {
        #expect(Array(bare) == full.filter { $0.name != "X-Own" })
        #expect(full["X-Own"] == "1")
      }
    }
  }
}
