import Stoic
import StoicJSON
import Testing

@Suite("Doubles, bit for bit")
struct DoubleTests {
  /// A million in all; each part has inputs of its own.
  static let parts = 0..<10 as Range<UInt64>
  static let casesPerPart = 100_000
  /// Whole numbers of any size are slow without optimization; a million of them are for release builds.
  #if DEBUG
  static let comparisonsPerPart = 500
  #else
  static let comparisonsPerPart = 100_000
  #endif

  /// A number in a spelling that a service might send, or an attacker.
  private static func spelling(_ generator: inout SplitMix) -> String {
    let digits = String(generator.next() >> UInt64.random(in: 0..<64, using: &generator))
    switch Int.random(in: 0..<5, using: &generator) {
    case 0: return "\(digits)e\(Int.random(in: -360...330, using: &generator))"
    case 1: return "\(digits).\(generator.next())e\(Int.random(in: -340...310, using: &generator))"
    case 2: return "0.\(digits)e\(Int.random(in: -30...30, using: &generator))"
    case 3: return "\(Double(bitPattern: generator.next() & 0x7FEF_FFFF_FFFF_FFFF))"
    default: return halfway(&generator)
    }
  }

  /// The point half way between two doubles near one, all of its digits, at times with another behind them.
  private static func halfway(_ generator: inout SplitMix) -> String {
    // (2^53 + n + 1/2) / 2^k for a small k, by multiplying with five instead of dividing by two.
    let shift = Int.random(in: 1...8, using: &generator)
    let odd = (1 << 53 | generator.next() & 0xFFFF_FFFF) << 1 | 1
    let power = (0..<shift).reduce(1 as UInt64) { result, _ in result * 5 }
    let (high, low) = odd.multipliedFullWidth(by: power)
    let digits = high == 0 ? "\(low)" : "\(odd / 1000)"
    return "\(digits)\(Bool.random(using: &generator) ? "" : "1")e-\(shift)"
  }

  @Test("A million numbers of all spellings read as the standard library reads them", arguments: parts)
  func reading(part: UInt64) throws {
    var generator = SplitMix(seed: 0xD0B1 + part)
    for _ in 0..<Self.casesPerPart {
      let text = Self.spelling(&generator)
      let expected = try #require(Double(text))
      let value = try JSON(parsing: text).double
      let isLost = expected.isInfinite || expected == 0 && text.contains { "123456789".contains($0) }
      let isRight = value?.bitPattern == expected.bitPattern || value == nil && isLost
      if !isRight { Issue.record("\(text) was read as \(value as Any)") }
    }
  }

  @Test("Numbers read as comparing whole numbers says", arguments: parts)
  func comparison(part: UInt64) throws {
    var generator = SplitMix(seed: 0xC0DE + part)
    for _ in 0..<Self.comparisonsPerPart {
      let text = Self.spelling(&generator)
      let value = try JSON(parsing: text)
      let exact = try #require(value.doubleByComparison)
      #expect(exact.bitPattern == Double(text)?.bitPattern, "\(text)")
      if let double = value.double { #expect(double.bitPattern == exact.bitPattern, "\(text)") }
    }
  }

  @Test("Doubles of every exponent survive writing and reading", arguments: [1, -1])
  func exponents(sign: Double) throws {
    for exponent in 0...2046 as ClosedRange<UInt64> {
      for significand in [0, 1, 0xF_FFFF_FFFF_FFFF, 0x8_0000_0000_0000, 0x5_5555_5555_5555] as [UInt64] {
        let value = sign * Double(bitPattern: exponent << 52 | significand)
        try check(value)
      }
    }
  }

  @Test(
    "Doubles of random bits survive writing and reading, with the standard library's digits", arguments: parts
  )
  func writing(part: UInt64) throws {
    var generator = SplitMix(seed: 0xF00D + part)
    for _ in 0..<2_000 {
      try check(generator.double())
      // Subnormal ones.
      try check(Double(bitPattern: generator.next() >> UInt64.random(in: 12..<64, using: &generator)))
      // Integers, small and large.
      try check(Double(generator.next() >> UInt64.random(in: 0..<64, using: &generator)))
    }
  }

  private func check(_ value: Double) throws {
    for options in [[], .canonical] as [JSON.WritingOptions] {
      let written = try text(JSON(value), options)
      let isZeroWithSign = options == .canonical && value == 0
      let read = try JSON(parsing: written).double
      #expect(isZeroWithSign ? read == 0 : read?.bitPattern == value.bitPattern, "\(value)")
      #expect(digits(written) == digits(value.description), "\(written) is not \(value)")
    }
  }

  /// The significant digits of a number's text.
  private func digits(_ text: String) -> String {
    let mantissa = text.prefix { $0 != "e" }.filter { $0 != "." && $0 != "-" }
    let trimmed = mantissa.drop { $0 == "0" }
    return String(trimmed.reversed().drop { $0 == "0" }.reversed())
  }
}
