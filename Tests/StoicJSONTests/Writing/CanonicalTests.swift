import StoicJSON
import Testing

@Suite("Canonical text (RFC 8785)")
struct CanonicalTests {
  @Test("The RFC's example of section 3.2.2: numbers, strings and literals")
  func example() throws {
    let value = try JSON(
      parsing: #"""
        {
          "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
          "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
          "literals": [null, true, false]
        }
        """#)
    #expect(
      try text(value, .canonical) == #"{"literals":[null,true,false],"#
        + #""numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"#
        + #""string":"€$\u000f\nA'B\"\\\\\"/"}"#)
  }

  @Test("The RFC's example of section 3.2.3: keys in the order of their UTF-16")
  func order() throws {
    let value = try JSON(
      parsing: #"""
        {"\u20ac": "Euro Sign", "\r": "Carriage Return", "\ufb33": "Hebrew Letter Dalet With Dagesh",
         "1": "One", "\ud83d\ude00": "Emoji: Grinning Face", "\u0080": "Control",
         "\u00f6": "Latin Small Letter O With Diaeresis"}
        """#)
    let keys = try JSON(parsing: value.serialized(.canonical)).object?.keys
    #expect(keys == ["\r", "1", "\u{80}", "\u{F6}", "\u{20AC}", "\u{1F600}", "\u{FB33}"])
  }

  @Test(
    "The RFC's table of numbers in appendix B",
    arguments: [
      (0x0000_0000_0000_0000, "0"), (0x8000_0000_0000_0000, "0"), (0x0000_0000_0000_0001, "5e-324"),
      (0x8000_0000_0000_0001, "-5e-324"), (0x7FEF_FFFF_FFFF_FFFF, "1.7976931348623157e+308"),
      (0xFFEF_FFFF_FFFF_FFFF, "-1.7976931348623157e+308"), (0x4340_0000_0000_0000, "9007199254740992"),
      (0xC340_0000_0000_0000, "-9007199254740992"), (0x4430_0000_0000_0000, "295147905179352830000"),
      (0x44B5_2D02_C7E1_4AF5, "9.999999999999997e+22"), (0x44B5_2D02_C7E1_4AF6, "1e+23"),
      (0x44B5_2D02_C7E1_4AF7, "1.0000000000000001e+23"), (0x444B_1AE4_D6E2_EF4E, "999999999999999700000"),
      (0x444B_1AE4_D6E2_EF4F, "999999999999999900000"), (0x444B_1AE4_D6E2_EF50, "1e+21"),
      (0x3EB0_C6F7_A0B5_ED8C, "9.999999999999997e-7"), (0x3EB0_C6F7_A0B5_ED8D, "0.000001"),
      (0x41B3_DE43_5555_5553, "333333333.3333332"), (0x41B3_DE43_5555_5554, "333333333.33333325"),
      (0x41B3_DE43_5555_5555, "333333333.3333333"), (0x41B3_DE43_5555_5556, "333333333.3333334"),
      (0x41B3_DE43_5555_5557, "333333333.33333343"), (0xBECB_F647_612F_3696, "-0.0000033333333333333333"),
      (0x4314_3FF3_C1CB_0959, "1424953923781206.2"),
    ] as [(UInt64, String)])
  func numbers(bits: UInt64, expected: String) throws {
    #expect(try text(JSON(Double(bitPattern: bits)), .canonical) == expected)
  }

  @Test("NaN and the infinities have no canonical text", arguments: [Double.nan, .infinity, -.infinity])
  func nonFinite(value: Double) {
    #expect(writingError([JSON(value)], .canonical)?.reason == .nonFiniteNumber)
  }

  @Test(
    "A number that a double would change has no canonical text, and the error says where",
    arguments: ["9007199254740993", "1e400", "1e-400"])
  func unrepresentable(number: String) throws {
    let error = writingError(try JSON(parsing: "{\"b\":0,\"a\":[\(number)]}"), .canonical)
    #expect(error?.reason == .unrepresentableNumber)
    #expect(error?.pointer == "/a/0")
  }

  @Test("Built and read values have the same canonical text, whatever else is asked for")
  func sameForAll() throws {
    let built: JSON = ["b": [1e21, 100, -0.0, "é"], "a": ["y": .null, "x": true]]
    let expected = #"{"a":{"x":true,"y":null},"b":[1e+21,100,0,"é"]}"#
    #expect(try text(built, .canonical) == expected)
    #expect(try text(built, [.canonical, .pretty, .sortedKeys]) == expected)
    #expect(try text(JSON(parsing: built.serialized(.pretty)), .canonical) == expected)
    #expect(try text(JSON(Int.max - 1023), .canonical) == "9223372036854775000")
  }
}
