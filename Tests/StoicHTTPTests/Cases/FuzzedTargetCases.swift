import Foundation
import Stoic
import StoicHTTP
import StoicTesting
import Testing

@Suite("Cases: targets put together at random")
struct FuzzedTargetCases {
  /// What URLs are made of, and what breaks them.
  static let pieces = [
    "https://", "http://", "HTTPS:", "//", "/", "/", "a.test", "b.test", "A.TEST", "@", "u:p@", ":443", ":80",
    ":444", ":", ":x", "..",
    ".", "%2e", "%2E%2e", "%2F", "%5C", "\\", "?", "#", "\u{E9}", "[::1]", "[", "]", " ", "\t", "\r\n",
    "\u{0}", "%", "%00", "%zz", "x", ";",
    ",", "&", "=", "+", "\u{301}", "\u{FF0F}", "\u{3002}", "\u{200D}", "data:", "javascript:", "|", "^", "\"",
    "<", "~", "*",
  ]

  private static func text(_ random: inout RandomSource) -> String {
    (0..<Int.random(in: 1..<9, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }
      .joined()
  }

  /// The origin as the platform reads it, which is where the request goes.
  private static func origin(_ request: TransportRequest) throws -> String {
    let parts = try #require(URLComponents(url: request.url, resolvingAgainstBaseURL: true))
    #expect(parts.user == nil && parts.password == nil && parts.fragment == nil)
    let host = try #require(parts.encodedHost)
    #expect(!host.isEmpty && !host.contains("%"))
    #expect(request.url.absoluteString.utf8.allSatisfy { (0x21...0x7E).contains($0) })
    let scheme = try #require(parts.scheme)
    return "\(scheme)://\(host):\(parts.port ?? (scheme == "https" ? 443 : 80))"
  }

  @Test(
    "RC-01, RS-06: Wherever a hostile Location leads, no secret leaves the origin, nor returns, and https stays",
    arguments: 0..<8)
  func locations(seed: UInt64) async throws {
    var random = RandomSource.seeded(seed)
    for _ in 0..<50 {
      let locations = (0..<6).map { _ in Self.text(&random) }
      let transport = AnsweringTransport { index, _ in
        guard index < locations.count else { return HTTPResponse(status: 200) }
        return HTTPResponse(
          status: [301, 302, 303, 307, 308][index % 5], headers: ["Location": locations[index]])
      }
      let rig = Rig.carryingSecrets()
      let api = HTTPClient(
        base: makeURL(rig.base), transport: transport, policy: rig.policy, headers: rig.headers)
      _ = await rig.failure { _ in try await api.send(.put("/a/b?c").header("X-Tag", "SECRET")) }
      var isHome = true
      for request in transport.requests {
        isHome = try isHome && Self.origin(request) == "https://a.test:443"
        #expect(request.url.scheme == "https")
        #expect(request.headers.contains { $0.value.contains("SECRET") } == isHome, "\(locations)")
      }
      #expect(transport.requests.count <= 7 && rig.elapsed == .zero)
    }
  }

  @Test(
    "UB-05, UB-06: Whatever a path is put together of, the request stays at the base's origin and below its path",
    arguments: 0..<8)
  func paths(seed: UInt64) async throws {
    var random = RandomSource.seeded(seed &+ 100)
    for _ in 0..<80 {
      let path = Self.text(&random)
      var rig = Rig.carryingSecrets(base: "https://a.test/v1/x/")
      rig.policy.retry.maxAttempts = 1
      _ = await rig.failure(.get(path, query: [(Self.text(&random), Self.text(&random))]))
      guard let sent = rig.transport.requests.first else { continue }
      #expect(try Self.origin(sent) == "https://a.test:443")
      let wire = sent.url.path(percentEncoded: true)
      #expect(wire.hasPrefix("/v1/x/"), "\(path)")
      // As a server reads it that decodes once or twice, and takes both slashes for one.
      let once = wire.removingPercentEncoding ?? wire
      for reading in [wire, once] {
        var depth = 0
        for segment in reading.split(whereSeparator: { $0 == "/" || $0 == "\\" }).dropFirst(2) {
          depth += segment == ".." ? -1 : segment == "." ? 0 : 1
          #expect(depth >= 0, "\(path)")
        }
      }
    }
  }

  @Test(
    "Whatever an absolute URL is put together of, it is asked at the origin that it names, with fields for that only",
    arguments: 0..<4)
  func absolutes(seed: UInt64) async throws {
    var random = RandomSource.seeded(seed &+ 200)
    for _ in 0..<80 {
      guard let url = URL(string: "https://" + Self.text(&random)) else { continue }
      let rig = Rig.carryingSecrets()
      _ = await rig.failure(.get(url))
      guard let sent = rig.transport.requests.first else { continue }
      let isHome = try Self.origin(sent) == "https://a.test:443"
      #expect(sent.headers.contains { $0.value.contains("SECRET") } == isHome, "\(url)")
      let asked = try #require(URLComponents(string: url.absoluteString)?.encodedHost)
      let sentTo = URLComponents(string: sent.url.absoluteString)?.encodedHost
      #expect(sentTo?.lowercased() == asked.lowercased(), "\(url)")
    }
  }
}
