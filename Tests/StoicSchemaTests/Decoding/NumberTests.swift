import Foundation
import StoicJSON
import StoicSchema
import Testing

@Suite("Exact numbers")
struct NumberTests {
  @Test("Each width of integer accepts its whole range and nothing beyond")
  func widths() throws {
    func check<Number: FixedWidthInteger & Sendable>(_ schema: Schema<Number>) throws {
      for number in [Number.min, 0, 1, Number.max] {
        #expect(try schema.decode(schema.encode(number)) == number)
        #expect(try schema.decode(Array("\(number)".utf8)) == number)
        #expect(value(of: schema, in: "\(number).0") == number)
      }
      // One more digit than the range has.
      #expect(issues(of: schema, in: "\(Number.max)0") == ["number $"])
      #expect(issues(of: schema, in: Number.isSigned ? "\(Number.min)0" : "-1") == ["number $"])
      #expect(issues(of: schema, in: "0.5") == ["number $"])
    }
    try check(.int)
    try check(.int8)
    try check(.int16)
    try check(.int32)
    try check(.int64)
    try check(.uint)
    try check(.uint8)
    try check(.uint16)
    try check(.uint32)
    try check(.uint64)
    #expect(value(of: .uint64, in: "18446744073709551615") == .max)
    #expect(value(of: .uint64, in: "1844674407370955161.5e1") == .max)
    #expect(issues(of: .uint64, in: "18446744073709551616") == ["number $"])
    #expect(issues(of: .uint8, in: "256") == ["number $"])
    #expect(value(of: .uint8, in: "-0") == 0)
    #expect(
      messages(of: .uint8, in: "256") == [
        "expected integer, found number that no unsigned 8-bit integer equals"
      ])
  }

  @Test(
    "A decimal is exact or an issue",
    arguments: [
      ("0.1", "0.1"), ("-12.50", "-12.5"), ("1e2", "100"), ("0", "0"), ("-0.0", "0"),
      ("12345678901234567890123456789012345678", "12345678901234567890123456789012345678"),
      ("3.1415926535897932384626433832795028841", "3.1415926535897932384626433832795028841"),
      ("3.14159265358979323846264338327950288419", "3.14159265358979323846264338327950288419"),
      ("3.141592653589793238462643383279502884197", nil),
      ("340282366920938463463374607431768211455", "340282366920938463463374607431768211455"),
      ("340282366920938463463374607431768211456", nil),
      ("-3.40282366920938463463374607431768211456", nil),
      ("340282366920938463463374607431768211455e127", "\(Decimal.greatestFiniteMagnitude)"),
      ("340282366920938463463374607431768211455e128", nil),
      ("34028236692093846346337460743176821145e128", "34028236692093846346337460743176821145e128"),
      ("1e127", "1" + String(repeating: "0", count: 127)),
      ("1e165", "1" + String(repeating: "0", count: 165)),
      ("3e165", "3e165"), ("4e165", nil), ("1e166", nil), ("1e-128", "1e-128"), ("1e-129", nil),
      ("1e99999999999999999999", nil),
    ] as [(String, String?)])
  func decimals(text: String, expected: String?) throws {
    guard let expected else {
      #expect(issues(of: .decimal, in: text) == ["number $"])
      return
    }
    let decoded = try #require(value(of: .decimal, in: text))
    // Foundation's own reader refuses some of them.
    #expect(Decimal(string: expected).map { $0 == decoded } ?? true)
    #expect(try JSON(parsing: "\(decoded)") == JSON(parsing: expected))
    #expect(try Schema.decimal.decode(Schema.decimal.encode(decoded).serialized()) == decoded)
  }

  @Test("What is no decimal is refused, and NaN is not written")
  func otherDecimals() {
    #expect(issues(of: .decimal, in: "\"1\"") == ["type $"])
    #expect(throws: JSONWritingError.self) { try Schema.decimal.encode(.nan).serialized() }
  }

  @Test(
    "A float is the nearest one, or an issue",
    arguments: [
      ("0.1", 0.1), ("16777216", 16_777_216), ("16777217", nil), ("16777217.0", 16_777_216), ("1e10", 1e10),
      ("10000000000", 1e10), ("1e39", nil), ("1e-60", nil), ("-0", -0.0), ("0e99", 0), ("1.5", 1.5),
      // Halfway between two floats and a little more, which a double does not tell apart.
      ("1.00000005960464477540", 1.0000001),
      ("340282346638528859811704183484516925440", .greatestFiniteMagnitude),
      ("340282350000000000000000000000000000000", .greatestFiniteMagnitude),
      ("340282350000000000000000000000000000001", nil), ("3.4028235677973367e38", nil),
      ("1e-45", .leastNonzeroMagnitude),
    ] as [(String, Float?)])
  func floats(text: String, expected: Float?) throws {
    let decoded = value(of: .float, in: text)
    #expect(decoded == expected)
    guard let decoded else {
      #expect(issues(of: .float, in: text) == ["number $"])
      return
    }
    #expect(try Schema.float.decode(Schema.float.encode(decoded).serialized()) == decoded)
  }

  @Test("A float is written with few digits, one that is not finite is not written")
  func writtenFloats() throws {
    #expect(Schema.float.encode(0.1).description == "0.1")
    #expect(issues(of: .float, in: "\"1\"") == ["type $"])
    #expect(messages(of: .float, in: "16777217") == ["expected number, found number that no float equals"])
    for float in [Float.nan, .infinity, -.infinity] {
      #expect(throws: JSONWritingError.self) { try Schema.float.encode(float).serialized() }
    }
  }

  @Test("A built number that is not finite is none", arguments: [Double.nan, .infinity, -.infinity])
  func notFinite(value: Double) {
    #expect(Schema.double.decodeReporting(JSON(value)).errors.map(\.code) == [.number])
    #expect(Schema.float.decodeReporting(JSON(value)).errors.map(\.code) == [.number])
    #expect(Schema.decimal.decodeReporting(JSON(value)).errors.map(\.code) == [.number])
    #expect(Schema.int.decodeReporting(JSON(value)).errors.map(\.code) == [.number])
    #expect(Schema.double.in(...5).decodeReporting(JSON(value)).value == nil)
  }

  @Test(
    "A range includes its ends as Swift's ranges do",
    arguments: [("0", false), ("1", true), ("9", true), ("10", false), ("-5", false)])
  func ranges(text: String, isIn: Bool) {
    #expect((value(of: .int.in(1...9), in: text) != nil) == isIn)
    #expect((value(of: .int.in(1..<10), in: text) != nil) == isIn)
    #expect((value(of: .double.in(0.5...9.5), in: text) != nil) == isIn)
    #expect((value(of: .float.in(0.5...9.5), in: text) != nil) == isIn)
    #expect((value(of: .decimal.in(Decimal(1)...9), in: text) != nil) == isIn)
    #expect((value(of: .uint8.in(1...), in: text) != nil) == (isIn || text == "10"))
    #expect((value(of: .int.in(..<10), in: text) != nil) == (text != "10"))
    #expect((value(of: .int.in(...9), in: text) != nil) == (text != "10"))
  }

  @Test("What is out of range says the range and not the number")
  func rangeMessage() {
    #expect(issues(of: .int.in(1...9), in: "77") == ["range $"])
    #expect(
      messages(of: .int.in(1...9), in: "77") == [
        "expected integer at least 1 and at most 9, found another number"
      ])
    #expect(
      messages(of: .double.in(..<0.5), in: "77") == ["expected number less than 0.5, found another number"])
    #expect(issues(of: .int.in(1...9), in: "\"x\"") == ["type $"])
    let cents: Schema<Decimal> = .decimal.in(Decimal(1)..<9)
    #expect(
      messages(of: cents, in: "9") == ["expected number at least 1 and less than 9, found another number"])
    #expect(cents.jsonSchema["minimum"] == 1 && cents.jsonSchema["exclusiveMaximum"] == 9)
  }

  @Test("A range that is empty, infinite or as wide as its type neither traps nor accepts too much")
  func oddRanges() {
    #expect(issues(of: .int.in(3..<3), in: "3") == ["range $"])
    #expect(value(of: .int.in(Int.min...Int.max), in: "3") == 3)
    #expect(value(of: .int.in(...Int.max), in: "9223372036854775807") == .max)
    #expect(value(of: .double.in(0...(.infinity)), in: "3") == 3)
    #expect(issues(of: .double.in((.infinity)...), in: "3") == ["range $"])
    #expect(issues(of: .double.in(..<(-.infinity)), in: "3") == ["range $"])
    #expect(issues(of: .string(length: -3 ..< -1), in: "\"\"") == ["length $"])
    #expect(value(of: .string(length: Int.min...Int.max), in: "\"\"")?.isEmpty == true)
    #expect(issues(of: .string(length: ..<Int.min), in: "\"\"") == ["length $"])
    #expect(Schema.double.in((.infinity)...).jsonSchema["not"] == [:])
    #expect(Schema.double.in(0...(.infinity)).jsonSchema["maximum"] == nil)
    #expect(Schema.string(length: ..<Int.min).jsonSchema["not"] == [:])
  }
}
