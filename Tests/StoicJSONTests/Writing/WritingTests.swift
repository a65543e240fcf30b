import StoicJSON
import Testing

@Suite("Writing")
struct WritingTests {
  @Test(
    "Compact text keeps order and spelling",
    arguments: ["null", "[]", "{}", #"{"b":[1,1.10,1E5,-0],"a":{"c":"x"}}"#])
  func compact(source: String) throws {
    #expect(try text(JSON(parsing: source)) == source)
    #expect(try JSON(parsing: source).description == source)
  }

  @Test("Sorted keys are in the order of their bytes, at every level")
  func sorted() throws {
    let value: JSON = ["b": ["d": 1, "c": 2], "\u{1F600}": 1, "\u{FFFD}": 2, "a": 3, "B": 4, "": 5]
    #expect(
      try text(value, .sortedKeys)
        == "{\"\":5,\"B\":4,\"a\":3,\"b\":{\"c\":2,\"d\":1},\"\u{FFFD}\":2,\"\u{1F600}\":1}")
    #expect(try text(value).hasPrefix("{\"b\":{\"d\":1"))
    #expect(try text(["f": 1, "e\u{301}": 2], .sortedKeys) == "{\"e\u{301}\":2,\"f\":1}")
  }

  @Test("Pretty text has a line for each element, and combines with sorting")
  func pretty() throws {
    let value: JSON = ["b": [1, [], ["x": .null]], "a": [:]]
    #expect(
      try text(value, .pretty) == """
        {
          "b": [
            1,
            [],
            {
              "x": null
            }
          ],
          "a": {}
        }
        """)
    #expect(try text(value, [.pretty, .sortedKeys]).hasPrefix("{\n  \"a\": {},\n  \"b\": ["))
    #expect(try text([], .pretty) == "[]")
    #expect(try text("x", .pretty) == "\"x\"")
  }

  @Test("Only quotes, backslashes and control characters are escaped")
  func escapes() throws {
    #expect(try text("\"\\/\u{8}\t\n\u{C}\r\u{0}\u{1F}") == #""\"\\/\b\t\n\f\r\u0000\u001f""#)
    #expect(try text("é\u{7F}\u{2028}😀</script>") == "\"é\u{7F}\u{2028}😀</script>\"")
    #expect(try text(["a\"\n": 1]) == #"{"a\"\n":1}"#)
  }

  @Test("Every scalar below U+0180 survives writing and reading")
  func roundTrip() throws {
    let all = String(String.UnicodeScalarView((0..<0x180).compactMap { Unicode.Scalar($0 as UInt32) }))
    #expect(try JSON(parsing: JSON(all).serialized()).string == all)
  }

  @Test(
    "A double is written in its shortest form",
    arguments: [
      (0, "0"), (-0.0, "-0"), (1, "1"), (-1, "-1"), (100, "100"), (0.1, "0.1"), (1.5, "1.5"),
      (1.0 / 3, "0.3333333333333333"),
      (1e16, "1e16"), (1e-5, "1e-5"), (1.5e300, "1.5e300"), (.leastNonzeroMagnitude, "5e-324"),
      (1e100, "1e100"),
      (0x1p53, "9007199254740992"),
      (.greatestFiniteMagnitude, "1.7976931348623157e308"), (2.5e-10, "2.5e-10"), (12345678.9, "12345678.9"),
    ] as [(Double, String)])
  func doubles(value: Double, expected: String) throws {
    #expect(try text(JSON(value)) == expected)
    #expect(try JSON(parsing: expected).double?.bitPattern == value.bitPattern)
  }

  @Test("Doubles of many magnitudes read back as themselves")
  func doubleRoundTrip() throws {
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<2_000 {
      let value = Double(bitPattern: generator.next())
      if value.isFinite { #expect(try JSON(parsing: JSON(value).serialized()).double == value) }
    }
  }

  @Test(
    "A number that is not finite cannot be written, and the error says where",
    arguments: [Double.nan, .infinity, -.infinity])
  func nonFinite(value: Double) {
    let error = writingError(["prices": [1, ["a/b": JSON(value)]]])
    #expect(error?.reason == .nonFiniteNumber)
    #expect(error?.pointer == "/prices/1/a~1b")
    #expect(error?.description == "a number is not finite, in /prices/1/a~1b")
    #expect(writingError(JSON(value))?.pointer == "")
    #expect(JSON(value) == JSON(value))
    #expect(JSON(value).hashValue == JSON(value).hashValue)
    #expect(JSON(value).double?.isFinite == false)
    #expect(JSON(value).int == nil)
  }

  @Test("The pointer of a writing error follows sorted keys")
  func sortedPointer() {
    let value: JSON = ["b": 1, "a": JSON(Double.nan)]
    #expect(writingError(value, .sortedKeys)?.pointer == "/a")
  }

  @Test("A description is JSON text, except for numbers that are not finite")
  func description() {
    #expect(["a": JSON(Double.infinity), "b": JSON(Double.nan)].map(\.key).count == 2)
    #expect(([JSON(Double.infinity), JSON(Double.nan)] as JSON).description == "[inf,nan]")
    #expect("\(["k": [1, "two"]] as JSON)" == #"{"k":[1,"two"]}"#)
  }
}
