import Foundation
import StoicHTTP
import Testing

@Suite("Header fields")
struct HTTPHeadersTests {
  @Test("Names are looked up without regard to case, and writing replaces every field of the name in place")
  func lookUp() {
    var headers: HTTPHeaders = ["A": "1", "x-tag": "2", "B": "3", "X-TAG": "4"]
    #expect(headers["X-Tag"] == "2, 4")
    #expect(headers.values(for: "x-tAg") == ["2", "4"])
    headers["X-Tag"] = "5"
    #expect(headers.map(\.name) == ["A", "X-Tag", "B"] && headers["x-tag"] == "5")
    headers["x-tag"] = nil
    #expect(headers == ["a": "1", "b": "3"] && headers["x-tag"] == nil)
    headers.add("a", "9")
    #expect(headers.values(for: "A") == ["1", "9"])
  }

  @Test("Only ASCII letters fold: names that Unicode would call equal are two")
  func folding() {
    let headers: HTTPHeaders = ["K": "1", "\u{212A}": "2", "É": "3", "é": "4"]
    #expect(headers.values(for: "k") == ["1"] && headers.values(for: "é") == ["4"])
  }

  @Test("Several Set-Cookie fields stay apart")
  func cookies() {
    let headers = HTTPHeaders([
      .init("Set-Cookie", "a=1; Expires=Mon, 19 Jan 2026 00:00:00 GMT"), .init("set-cookie", "b=2"),
    ])
    #expect(headers.values(for: "Set-Cookie") == ["a=1; Expires=Mon, 19 Jan 2026 00:00:00 GMT", "b=2"])
  }

  @Test("Equal lists hash alike, whatever the case of their names")
  func hashing() {
    #expect(Set([["A": "1"], ["a": "1"], ["a": "2"]] as [HTTPHeaders]).count == 2)
  }

  @Test(
    "A media type is read without case and parameters",
    arguments: [
      ("Application/JSON; charset=UTF-8", "application/json"), ("text/html", "text/html"), (" a/b ;x", "a/b"),
      ("", nil),
      (";", nil),
    ])
  func mediaType(value: String, expected: String?) {
    #expect(HTTPResponse(status: 200, headers: ["content-type": value]).mediaType == expected)
  }

  @Test(
    "Text honours the charset",
    arguments: [
      (nil, [0xC3, 0xBC], "ü"), ("a/b; charset=utf-8", [0xC3, 0xBC], "ü"),
      ("a/b; charset=\"UTF-8\"", [0xC3, 0xBC], "ü"), ("a/b; charset=\"\\utf-8\"", [0xC3, 0xBC], "ü"),
      ("a/b; x=\"; charset=latin1\"; y=z", [0xC3, 0xBC], "ü"),
      ("a/b; x=\"\\\";\"; charset=latin1", [0xFC], "ü"),
      ("a/b;charset=ISO-8859-1", [0xFC], "ü"), ("a/b; charset=us-ascii", [0x41], "A"),
      ("a/b; charset=us-ascii", [0xFC], nil),
      ("a/b; charset=utf-16", [0xFE, 0xFF, 0, 0xFC], "ü"), ("a/b; charset=utf-16le", [0xFC, 0], "ü"),
      (nil, [0xFC], nil),
      ("a/b; charset=klingon", [0x41], nil),
    ] as [(String?, [UInt8], String?)])
  func text(type: String?, body: [UInt8], expected: String?) {
    let headers: HTTPHeaders = type.map { ["Content-Type": $0] } ?? [:]
    #expect(HTTPResponse(status: 200, headers: headers, body: body).text == expected)
  }
}
