import StoicJSON
import Testing

@Suite("The grammar of RFC 8259")
struct GrammarTests {
  @Test(
    "Every kind of value parses",
    arguments: [
      ("null", .null), ("true", true), ("false", false), ("0", 0), ("-1", -1), ("\"a\"", "a"), ("[]", []),
      ("{}", [:]), ("[1,[2,{}],\"x\"]", [1, [2, [:]], "x"]),
      ("{\"a\":{\"b\":[null]}}", ["a": ["b": [.null]]]),
      (" \t\r\n[ 1 , 2 ] \n", [1, 2]), ("{ \"a\" : 1 , \"b\" : 2 }", ["a": 1, "b": 2]),
    ] as [(String, JSON)])
  func kinds(text: String, expected: JSON) throws {
    #expect(try JSON(parsing: text) == expected)
  }

  @Test(
    "JS-11: what breaks the grammar is refused, with its reason and position",
    arguments: [
      ("{}x", .trailingContent, 2), ("{} {}", .trailingContent, 3), ("1 2", .trailingContent, 2),
      ("[1,]", .expectedValue, 3), ("[,1]", .expectedValue, 1), ("{\"a\":1,}", .expectedKey, 7),
      ("{a:1}", .expectedKey, 1), ("{1:1}", .expectedKey, 1), ("{\"a\" 1}", .expectedColon, 5),
      ("{\"a\":}", .expectedValue, 5), ("[1 2]", .expectedCommaOrEnd, 3), ("[1}", .expectedCommaOrEnd, 2),
      ("{\"a\":1]", .expectedCommaOrEnd, 6), ("{\"a\":1 \"b\":2}", .expectedCommaOrEnd, 7),
      ("]", .expectedValue, 0), ("01", .invalidNumber, 0), ("-00", .invalidNumber, 0),
      ("+1", .invalidNumber, 0), (".5", .invalidNumber, 0), ("1.", .unexpectedEnd, 2),
      ("[1.]", .invalidNumber, 1), ("1e", .unexpectedEnd, 2), ("[1e+]", .invalidNumber, 1),
      ("1.2.3", .invalidNumber, 0), ("0x1", .trailingContent, 1), ("-", .unexpectedEnd, 1),
      ("-x", .invalidNumber, 0), ("NaN", .expectedValue, 0), ("Infinity", .expectedValue, 0),
      ("-Infinity", .invalidNumber, 0), ("tru", .unexpectedEnd, 3), ("trux", .expectedValue, 0),
      ("True", .expectedValue, 0), ("nulll", .trailingContent, 4), ("//c", .expectedValue, 0),
      ("/* c */1", .expectedValue, 0), ("'a'", .expectedValue, 0), ("", .unexpectedEnd, 0),
      (" ", .unexpectedEnd, 1), ("[", .unexpectedEnd, 1), ("[1", .unexpectedEnd, 2),
      ("[1,", .unexpectedEnd, 3), ("{", .unexpectedEnd, 1), ("{\"a\"", .unexpectedEnd, 4),
      ("{\"a\":", .unexpectedEnd, 5), ("{\"a\":1", .unexpectedEnd, 6), ("\"a", .unexpectedEnd, 2),
      ("\u{A0}1", .expectedValue, 0), ("\u{0C}1", .expectedValue, 0),
    ] as [(String, JSONError.Reason, Int)])
  func grammar(text: String, reason: JSONError.Reason, offset: Int) {
    let error = parsingError(text)
    #expect(error?.reason == reason)
    #expect(error?.offset == offset)
  }

  @Test(
    "A number of any legal spelling parses and keeps it",
    arguments: [
      "0", "-0", "10", "-1.5", "0.10", "1e5", "1E+5", "1e-05", "-0.0e0", "123456789012345678901234567890",
    ])
  func numbers(text: String) throws {
    #expect(try JSON(parsing: text).numberText == text)
    #expect(try JSON(parsing: "[\(text)]")[0]?.numberText == text)
  }

  @Test("Any collection of bytes and any string can be parsed")
  func inputs() throws {
    let bytes: [UInt8] = Array("[1]".utf8)
    #expect(try JSON(parsing: bytes) == [1])
    #expect(try JSON(parsing: bytes[...]) == [1])
    #expect(try JSON(parsing: bytes.lazy.map { $0 }) == [1])
    #expect(try JSON(parsing: ContiguousArray(bytes)) == [1])
    #expect(try JSON(parsing: "x[1]".dropFirst()) == [1])
  }

  @Test("One leading byte order mark is skipped, a second one or another encoding is refused")
  func byteOrderMark() throws {
    #expect(try JSON(parsing: [0xEF, 0xBB, 0xBF] + Array("[1]".utf8)) == [1])
    #expect(try JSON(parsing: "\u{FEFF}{}") == [:])
    #expect(parsingError("\u{FEFF}\u{FEFF}1")?.reason == .expectedValue)
    #expect(parsingError(" \u{FEFF}1")?.reason == .expectedValue)
    #expect(parsingError("\u{FEFF}")?.reason == .unexpectedEnd)
    for text: [UInt8] in [
      [0xFF, 0xFE, 0x31, 0], [0xFE, 0xFF, 0, 0x31], [0, 0x31], [0x5B, 0, 0x5D, 0], [0, 0, 0, 0x31],
    ] {
      #expect(parsingError(text)?.reason == .unsupportedEncoding)
    }
  }
}
