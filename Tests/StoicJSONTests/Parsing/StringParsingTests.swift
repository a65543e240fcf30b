import StoicJSON
import Testing

@Suite("Strings that are read")
struct StringParsingTests {
  @Test(
    "Every escape means its character",
    arguments: [
      (#""\"\\\/""#, "\"\\/"), (#""\b\f\n\r\t""#, "\u{8}\u{C}\n\r\t"),
      (#""\u0041\u00e9\u20AC""#, "A\u{E9}\u{20AC}"),
      (#""a\u0000b""#, "a\u{0}b"), (#""x\\u0041""#, "x\\u0041"), ("\"\u{7F}/\"", "\u{7F}/"), (#""""#, ""),
      (#""\uD83D\uDE00!""#, "\u{1F600}!"), (#""\udbff\udfff""#, "\u{10FFFF}"), (#""\uFFFF""#, "\u{FFFF}"),
    ])
  func escapes(text: String, expected: String) throws {
    #expect(try JSON(parsing: text).string.map { Array($0.utf8) } == Array(expected.utf8))
  }

  @Test(
    "JS-04: A lone surrogate is refused where its escape begins",
    arguments: [
      #"["\uDFF3"]"#, #"["\uD800"]"#, #"["\uD800x"]"#, #"["\uD800\u0041"]"#, #"["\uD800\uD800"]"#,
      #"["\uD800\n"]"#, #"["\uDC00\uD800"]"#, #"["\uD800\uE000"]"#,
    ])
  func loneSurrogates(text: String) {
    #expect(parsingError(text)?.reason == .loneSurrogate)
    #expect(parsingError(text)?.offset == 2)
  }

  @Test("JS-04: A pair of surrogates is one scalar")
  func pair() throws {
    let string = try JSON(parsing: #"["\uD83D\uDE00"]"#)[0]?.string
    #expect(string.map { Array($0.unicodeScalars) } == ["\u{1F600}"])
  }

  @Test(
    "An escape that JSON does not know is refused",
    arguments: [
      #""\a""#, #""\x41""#, #""\'""#, #""\U0041""#, #""\u12G4""#, #""\u-123""#, #""\u 123""#, #""\é""#,
    ])
  func unknownEscapes(text: String) {
    #expect(parsingError(text)?.reason == .invalidEscape)
    #expect(parsingError(text)?.offset == 1)
  }

  @Test(
    "A string that ends inside an escape is an early end",
    arguments: [#""\"#, #""\u"#, #""\u123"#, #""\uD800\u1"#])
  func earlyEnd(text: String) {
    #expect(parsingError(text)?.reason == .unexpectedEnd)
    #expect(parsingError(text)?.offset == text.utf8.count)
  }

  @Test("JS-05: A raw control character is refused in strings and keys", arguments: 0..<0x20 as Range<UInt8>)
  func controlCharacters(byte: UInt8) {
    let inString = parsingError([0x5B, 0x22, 0x61, byte, 0x22, 0x5D])
    #expect(inString?.reason == .controlCharacter)
    #expect(inString?.offset == 3)
    #expect(inString?.pointer == "/0")
    let inKey = parsingError(Array("{\"X".utf8) + [byte] + Array("\": 1}".utf8))
    #expect(inKey?.reason == .controlCharacter)
    #expect(inKey?.offset == 3)
    #expect(inKey?.pointer == "")
    #expect(inKey?.description == "unescaped control character in a string at line 1, column 4 (offset 3)")
  }

  @Test("A raw NUL is a control character even as the second byte")
  func earlyNul() {
    #expect(parsingError([0x22, 0, 0x22])?.reason == .controlCharacter)
    #expect(parsingError([0x22, 0, 0x61, 0x62, 0x63, 0x22])?.reason == .controlCharacter)
  }

  @Test(
    "Invalid UTF-8 is refused at its first byte",
    arguments: [
      [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC3], [0xC3, 0x41], [0xE0, 0x80, 0x80],
      [0xE0, 0x9F, 0xBF],
      [0xE2, 0x82], [0xE2, 0x82, 0x41], [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF], [0xF0, 0x80, 0x80, 0x80],
      [0xF0, 0x8F, 0xBF, 0xBF], [0xF0, 0x9F, 0x98], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80],
      [0xFE], [0xFF],
      [0xF8, 0x88, 0x80, 0x80, 0x80],
    ] as [[UInt8]])
  func invalidUTF8(sequence: [UInt8]) {
    for text in [[0x22, 0x61] + sequence + [0x22], [0x22, 0x61] + sequence] {
      #expect(parsingError(text)?.reason == .invalidUTF8)
      #expect(parsingError(text)?.offset == 2)
    }
  }

  @Test(
    "Invalid UTF-8 comes before a later mistake in the same string",
    arguments: ["\n\"", "\\q\"", "\\uD800\"", "\\u00", "\\", ""])
  func invalidUTF8First(rest: String) {
    let error = parsingError([0x22, 0x61, 0xFF] + Array(rest.utf8))
    #expect(error?.reason == .invalidUTF8)
    #expect(error?.offset == 2)
  }

  @Test(
    "The first and last scalars of every length of UTF-8 are accepted",
    arguments: [
      "\u{80}", "\u{7FF}", "\u{800}", "\u{D7FF}", "\u{E000}", "\u{FFFF}", "\u{10000}", "\u{10FFFF}",
    ])
  func validUTF8(scalar: String) throws {
    #expect(try JSON(parsing: "\"\(scalar)\"").string == scalar)
  }
}
