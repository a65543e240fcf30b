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
      ("3.14159265358979323846264338327950288419", nil), ("1e127", "1" + String(repeating: "0", count: 127)),
      ("1e128", nil), ("1e-128", "1e-128"), ("1e-129", nil),
      ("1e99999999999999999999", nil),
    ] as [(String, String?)])
  func decimals(text: String, expected: String?) throws {
    guard let expected else {
      #expect(issues(of: .decimal, in: text) == ["number $"])
      return
    }
    let decoded = try #require(value(of: .decimal, in: text))
    #expect(decoded == Decimal(string: expected))
    #expect(try Schema.decimal.decode(Schema.decimal.encode(decoded).serialized()) == decoded)
  }

  @Test("What is no decimal is refused, and NaN is not written")
  func otherDecimals() {
    #expect(issues(of: .decimal, in: "\"1\"") == ["type $"])
    #expect(throws: JSONWritingError.self) { try Schema.decimal.encode(.nan).serialized() }
  }

  @Test(
    "A range includes its ends as Swift's ranges do",
    arguments: [("0", false), ("1", true), ("9", true), ("10", false), ("-5", false)])
  func ranges(text: String, isIn: Bool) {
    #expect((value(of: .int.in(1...9), in: text) != nil) == isIn)
    #expect((value(of: .int.in(1..<10), in: text) != nil) == isIn)
    #expect((value(of: .double.in(0.5...9.5), in: text) != nil) == isIn)
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
