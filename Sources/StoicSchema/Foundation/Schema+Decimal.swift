public import Foundation
import StoicJSON

extension Schema where Value == Decimal {
  /// A number that a `Decimal` holds exactly: an integer below 2^128, times a power of ten in -128...127.
  ///
  /// Others are an issue with the code `.number`; nothing is rounded. A decimal that is NaN becomes a value
  /// that `serialized()` refuses.
  public static var decimal: Schema {
    Schema(
      expected: "number", export: ["type": "number"],
      read: { json, context, place in
        guard let value = json.decimal else {
          context.recordNumberMismatch(expected: "number", holder: "decimal", found: json)
          return false
        }
        place.put(value)
        return true
      },
      write: { $0.json })
  }

  /// The numbers of this schema that lie in a range; others are an issue with the code `.range`.
  public func `in`(_ range: some SchemaRange<Decimal>) -> Schema {
    let limits = range.schemaLimits
    return checked(
      .range, expected: "\(expected) \(limits.words { "\($0)" })", export: limits.export { $0.json },
      limits.contains)
  }
}

extension Decimal {
  fileprivate var json: JSON {
    isNaN ? JSON(Double.nan) : (try? JSON(parsing: "\(self)")) ?? JSON(Double.nan)
  }
}

extension JSON {
  /// 2^128 - 1, the greatest integer before a decimal's power of ten.
  private static let greatest = Array("340282366920938463463374607431768211455".utf8)

  fileprivate var decimal: Decimal? {
    guard case (let isNegative, var digits, let exponent)? = decimalDigits else { return nil }
    if digits.isEmpty { return 0 }
    // Zeros at the end make up for a power of ten that is too great.
    let zeros = max(0, exponent - 127)
    guard exponent >= -128, zeros <= Self.greatest.count - digits.count else { return nil }
    digits += zeroDigits(zeros)
    if digits.count == Self.greatest.count, Self.greatest.lexicographicallyPrecedes(digits) { return nil }
    // `Decimal(sign:exponent:significand:)` would take those zeros back, and overflow.
    digits += zeroDigits(zeros > 0 ? 127 : 0)
    guard let magnitude = Decimal(string: String(decoding: digits, as: UTF8.self)) else { return nil }
    if zeros > 0 { return isNegative ? -magnitude : magnitude }
    return Decimal(sign: isNegative ? .minus : .plus, exponent: exponent, significand: magnitude)
  }
}

private func zeroDigits(_ count: Int) -> Repeated<UInt8> {
  repeatElement(UInt8(ascii: "0"), count: count)
}
