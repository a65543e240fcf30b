import Foundation
import Stoic
import StoicHTTP
import StoicTesting
import Testing

@Suite("Cases: URLs")
struct URLCases {
  /// The URL on the wire; nil where the request is refused.
  private func url(_ request: HTTPRequest, base: String = "https://api.example.com") async throws -> String? {
    var rig = Rig()
    rig.base = base
    rig.headers = ["Authorization": "Bearer t"]
    let error = await rig.failure(request)
    guard let sent = rig.transport.requests.first else {
      _ = try #require(error?.refusal)
      return nil
    }
    // One line, ASCII, no fragment: whatever was asked for.
    #expect(sent.url.absoluteString.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "#") })
    return sent.url.absoluteString
  }

  static let bases = [
    "https://h", "https://h/", "https://h//", "https://h/v1", "https://h/v1/", "https://h/v1//",
    "https://h/v1?k=0#g",
    "https://h/v1/?k=/", "https://h/v1#/", "https://h:443/v1", "https://H/v1/.", "https://h/x/../v1/",
    "https://h/v1/x/..",
  ]

  @Test(
    "UB-02: There is exactly one slash where base and path join, and the base's path is kept",
    arguments: bases)
  func join(base: String) async throws {
    let prefix = base.contains("v1") ? "https://h/v1" : "https://h"
    for path in ["u", "/u", "u?a=1", "/u#f", "./u", "/./u", "x/../u", "u/", "/u//w", "u/./"] {
      let rest = path.hasPrefix("u/") || path.hasPrefix("/u/") ? (path == "/u//w" ? "u//w" : "u/") : "u"
      let expected = "\(prefix)/\(rest)" + (path == "u?a=1" ? "?a=1" : "")
      #expect(try await url(.get(path), base: base) == expected, "\(path)")
    }
    #expect(try await url(.get(""), base: base) == "\(prefix)/")
    #expect(try await url(.get("?q=1"), base: base) == "\(prefix)/?q=1")
  }

  @Test(
    "UB-03: A colon makes no scheme of a path",
    arguments: [
      "sub:path", "a:b:c", ":x", "mailto:x", "http:x", "https:443", "x:/y", "urn:isbn:1", "1:2", "data:,x",
      "::",
    ])
  func colon(path: String) async throws {
    #expect(try await url(.get(path)) == "https://api.example.com/\(path)")
    #expect(try await url(.get("/" + path), base: "https://h/v1") == "https://h/v1/\(path)")
    #expect(try await url(.get("a/" + path), base: "https://h/v1") == "https://h/v1/a/\(path)")
  }

  static let elsewhere = [
    "https://evil.com/x", "http:evil.com", "  https://evil.com", "HTTPS://evil.com", "https:/evil.com",
    "https:\\\\evil.com",
    "//evil.com", "///evil.com", "////evil.com", "/\\evil.com", "\\\\evil.com", "\\/evil.com", "/\\/evil.com",
    "/\\\\evil.com",
    "@evil.com", "/@evil.com", ":@evil.com", ":80@evil.com", ".evil.com", ":443/x", "%2F%2Fevil.com",
    "/%2Fevil.com",
    "/%5Cevil.com", "?@evil.com", "#@evil.com", "x@evil.com:80/", "\u{FF0F}\u{FF0F}evil.com",
    "/\u{2215}evil.com",
    "//\u{301}evil.com", "/\u{301}/evil.com", "\u{301}//evil.com", "\u{FEFF}https://evil.com",
    "h\u{301}ttps://evil.com",
    "https:\u{301}//evil.com", "https://\u{301}evil.com", ".//evil.com", "/.//evil.com", "x/..//evil.com",
    "/./\\evil.com",
  ]

  @Test("UB-05, UB-06: No path takes the request, or its token, to another host", arguments: elsewhere)
  func host(path: String) async throws {
    for base in ["https://api.example.com", "https://api.example.com/v1"] {
      guard let text = try await url(.get(path), base: base) else { continue }
      let components = try #require(URLComponents(string: text))
      #expect(components.host == "api.example.com" && components.user == nil && components.port == nil)
      #expect(text.hasPrefix(base + "/"))
    }
  }

  @Test(
    "UB-05: An absolute URL to another origin is asked without the client's fields",
    arguments: [
      "https://evil.com/x", "http://api.example.com/x", "https://api.example.com:444/x",
      "https://api.example.com./x",
      "https://sub.api.example.com/x", "https://example.com/x", "https://api.example.com.evil.com/x",
      "https://[::1]/x",
    ])
  func absolute(text: String) async throws {
    let rig = Rig.carryingSecrets(base: "https://api.example.com")
    _ = await rig.failure(.get(makeURL(text)))
    #expect(rig.sentNames == [["accept", "user-agent"]])
    #expect(rig.transport.requests.map(\.url.absoluteString) == [text])
  }

  @Test(
    "UB-08, UB-11: An escape stays as it is: nothing is decoded, nothing encoded twice",
    arguments: [
      "/files/a%2Fb", "/files/a%2fb", "/%5C", "/some%2520path", "/%25", "/%C3%A9", "/%c3%a9", "/%FF",
      "/a%3Fb%23c", "/%41%7E",
      "/%20", "/a%3Bb;c", "/%2B+", "/s?a=%26&b=%2B+%20", "/%E2%80%8B", "/%252e%252e/x",
    ])
  func escapes(path: String) async throws {
    #expect(try await url(.get(path)) == "https://api.example.com\(path)")
    #expect(try await url(.get(makeURL("https://h\(path)"))) == "https://h\(path)")
    #expect(try await url(.get(path, query: ["q": "%41"]))?.hasSuffix("q=%2541") == true)
  }

  @Test(
    "UB-14: A control character in a path is refused, in a query item it is data",
    arguments: HeaderCases.controlScalars + ["\t"])
  func controls(_ control: Unicode.Scalar) async throws {
    for text in [
      "/a\(control)b", "a\(control)", "/x?a=\(control)", "\(control)", "/a b\(control)\u{301}X: y",
      "/x#\(control)",
    ] {
      #expect(try await url(.get(text)) == nil)
    }
    let escape = "%" + (control.value < 16 ? "0" : "") + String(control.value, radix: 16, uppercase: true)
    #expect(
      try await url(.get("/x", query: ["k\(control)": "a\(control)\u{301}"]))
        == "https://api.example.com/x?k\(escape)=a\(escape)%CC%81")
    #expect(try await url(.get("/x\(escape)")) == "https://api.example.com/x\(escape)")
  }

  static let queries: [(String, [(String, String?)], String)] = [
    ("/s?x=1#f", [("y", "2")], "/s?x=1&y=2"), ("/s#f?x=1", [("y", "2")], "/s?y=2"),
    ("/s?#f", [("y", "2")], "/s?y=2"),
    ("/s?x", [("x", nil), ("x", "")], "/s?x&x&x="), ("/s?x=1?2", [("a?", "b?")], "/s?x=1?2&a%3F=b%3F"),
    ("/s#", [], "/s"),
    ("/s?a#b#c", [], "/s?a"), ("/s?a=1&a=2", [("a", "3")], "/s?a=1&a=2&a=3"),
    ("/s\u{23}\u{301}frag", [], "/s"),
    ("/s?\u{301}k=v", [], "/s?%CC%81k=v"), ("/s?a=#\u{20E3}x", [], "/s?a="),
    ("/s", [("\u{301}", "\u{301}=")], "/s?%CC%81=%CC%81%3D"),
  ]

  @Test(
    "UB-15: Items join a query that is there; the base's query and any fragment are never sent",
    arguments: queries)
  func joined(path: String, items: [(String, String?)], expected: String) async throws {
    #expect(try await url(.get(path, query: items), base: "https://h/v1?k=0#g") == "https://h/v1\(expected)")
  }

  @Test("UB-09, UB-12: Any pairs come back from a decoder, by the rules of URLs and of forms, in order")
  func roundTrip() async throws {
    var random = RandomSource.seeded(170)
    let alphabet = Array("ab+&=#;/?%:@ \t\r\n\u{0}\u{301}é💥[]{}|\\\"'<>41~.-_*!$(),").map(String.init)
    func text() -> String {
      (0..<Int.random(in: 0..<8, using: &random)).map { _ in alphabet.randomElement(using: &random) ?? "" }
        .joined()
    }
    for _ in 0..<150 {
      let pairs = (0..<Int.random(in: 1..<5, using: &random)).map { _ in (text(), text() as String?) }
      let sent = try #require(try await url(.get("/s", query: pairs)))
      let query = try #require(sent.split(separator: "?", maxSplits: 1).last)
      #expect(!query.contains("+"))
      let decoded = query.split(separator: "&", omittingEmptySubsequences: false).map { item in
        item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map {
          $0.removingPercentEncoding ?? "?"
        }
      }
      #expect(
        decoded.map { $0.map { Array($0.utf8) } }
          == pairs.map { [Array($0.0.utf8), Array(($0.1 ?? "").utf8)] })
    }
  }

  @Test("UB-11: What is sent once is sent the same again: encoding ends where it began")
  func idempotent() async throws {
    var random = RandomSource.seeded(11)
    let alphabet = Array("ab%2F%zz%é/?&=+;:@ []|\\^`{}<>\"'~.").map(String.init)
    for _ in 0..<150 {
      let path = "/" + (0..<10).map { _ in alphabet.randomElement(using: &random) ?? "" }.joined()
      guard let first = try await url(.get(path)), let second = try await url(.get(makeURL(first))) else {
        continue
      }
      #expect(second == first)
      #expect(try await url(.get(String(first.dropFirst("https://api.example.com".count)))) == first)
    }
  }

  @Test(
    "Dots that some servers see behind a path parameter do not leave the base",
    arguments: ["/..;/admin", "/..;x=1/admin", "/a/..;/..;/admin", "/%2e%2e;/admin", "/..%3B/admin", "..;"])
  func parameters(path: String) async throws {
    #expect(try await url(.get(path), base: "https://h/v1") == nil)
  }
}
