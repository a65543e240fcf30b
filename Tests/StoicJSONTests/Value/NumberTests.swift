import StoicJSON
import Testing

@Suite("Numbers")
struct NumberTests {
  @Test(
    "JS-07: An integer is exact or nil",
    arguments: [
      ("0", 0), ("-0", 0), ("42", 42), ("-42", -42), ("1e2", 100), ("1E+2", 100), ("1.0", 1), ("1.50e1", 15),
      ("100e-2", 1), ("0e999999999999999999999", 0), ("0.0", 0),
      ("12345678901234567890e-1", 1_234_567_890_123_456_789),
      ("9007199254740993", 9_007_199_254_740_993), ("9223372036854775807", Int.max),
      ("-9223372036854775808", Int.min),
      ("9223372036854775808", nil), ("-9223372036854775809", nil), ("92233720368547758070", nil),
      ("9.223372036854775807e18", Int.max), ("9.223372036854775808e18", nil), ("1e19", nil),
      ("1e18", 1_000_000_000_000_000_000),
      ("1.5", nil), ("1e-1", nil), ("1.0000000000000001", nil), ("1e400", nil),
      ("1e99999999999999999999", nil),
      ("1e-99999999999999999999", nil), ("123456789012345678901234567890", nil),
    ] as [(String, Int?)])
  func integers(text: String, expected: Int?) throws {
    #expect(try JSON(parsing: text).int == expected)
  }

  @Test(
    "JS-07: A double is the nearest one, never infinity, never zero for something else",
    arguments: [
      ("0", 0), ("0.0e5", 0), ("1", 1), ("0.1", 0.1), ("-2.5e-3", -0.0025), ("1e23", 1e23),
      ("5e-324", .leastNonzeroMagnitude),
      ("1.7976931348623157e308", .greatestFiniteMagnitude), ("1.7976931348623159e308", nil), ("1e400", nil),
      ("-1e400", nil), ("1e-400", nil), ("1e99999999999999999999", nil), ("1e-99999999999999999999", nil),
      ("0e99999999999999999999", 0), ("3.14159265358979323846264338327950288", .pi),
      ("-65.613616999999977", -65.613616999999977),
      ("2.2250738585072011e-308", .leastNormalMagnitude.nextDown),
    ] as [(String, Double?)])
  func doubles(text: String, expected: Double?) throws {
    #expect(try JSON(parsing: text).double == expected)
  }

  @Test(
    "An integer that would turn into another one is no double",
    arguments: [
      ("9007199254740991", 0x1p53 - 1), ("9007199254740992", 0x1p53), ("9007199254740993", nil),
      ("-9007199254740993", nil), ("9007199254740994", 0x1p53 + 2),
      ("123456789012345680000", 0x1.ac53a7e04bcdap66),
      ("123456789012345677877", nil), ("1180591620717411303424", 0x1p70), ("1180591620717411303425", nil),
      ("100000000000000000000000", 1e23), ("99999999999999991611392", 1e23), ("9007199254740993.0", 0x1p53),
    ] as [(String, Double?)])
  func integersAsDoubles(text: String, expected: Double?) throws {
    #expect(try JSON(parsing: text).double == expected)
  }

  @Test("All digits of the greatest double are recognised")
  func greatestInteger() throws {
    // 2^1024 - 2^971, by doubling in decimal.
    var digits = [1]
    func double() {
      var carry = 0
      for position in digits.indices {
        let product = digits[position] * 2 + carry
        digits[position] = product % 10
        carry = product / 10
      }
      if carry > 0 { digits.append(carry) }
    }
    for _ in 0..<53 {
      double()
    }
    digits[0] -= 1
    for _ in 0..<971 {
      double()
    }
    let text = digits.reversed().map(String.init).joined()
    #expect(try JSON(parsing: text).double == .greatestFiniteMagnitude)
    #expect(try JSON(parsing: String(text.dropLast() + "9")).double == nil)
  }

  @Test("A negative zero stays one, however long it is written")
  func negativeZero() throws {
    #expect(try JSON(parsing: "-0").double?.sign == .minus)
    #expect(try JSON(parsing: "-0." + String(repeating: "0", count: 2_000)).double?.sign == .minus)
  }

  @Test("A long number is rounded by all of its digits")
  func longMidpoint() throws {
    // 1 + 2^-53 lies exactly between two doubles, and is written with 53 digits.
    let midpoint = "1.00000000000000011102230246251565404236316680908203125"
    let zeros = String(repeating: "0", count: 2_000)
    #expect(try JSON(parsing: midpoint + zeros).double == 1)
    #expect(try JSON(parsing: midpoint + zeros + "1").double == 1.0.nextUp)
  }

  @Test("A number is compared by its value and keeps its text")
  func equality() throws {
    let one = try ["1", "1.0", "1e0", "10e-1", "0.1e1"].map { try JSON(parsing: $0) }
    #expect(Set(one).count == 1)
    #expect(one.map(\.numberText) == ["1", "1.0", "1e0", "10e-1", "0.1e1"])
    #expect(try JSON(parsing: "-0") == JSON(0))
    #expect(try JSON(parsing: "9007199254740993") != JSON(parsing: "9007199254740992"))
    #expect(try JSON(parsing: "0.1") != JSON(parsing: "0.10000000000000001"))
    #expect(try JSON(parsing: "-1") != JSON(1))
    #expect(try JSON(parsing: "1e99999999999999999999") == JSON(parsing: "1e99999999999999999999"))
    #expect(try JSON(parsing: "1e99999999999999999999") != JSON(parsing: "10e99999999999999999998"))
    #expect(JSON(1.5) == 1.5 && JSON(UInt64.max).numberText == "18446744073709551615")
  }

  @Test(
    "A number is no string, and nothing else is a number",
    arguments: ["\"1\"", "true", "null", "[1]", "{\"a\":1}"])
  func otherKinds(text: String) throws {
    let value = try JSON(parsing: text)
    #expect(value.int == nil && value.double == nil && value.numberText == nil)
    #expect(JSON(1).string == nil && JSON(1).bool == nil)
  }
}
