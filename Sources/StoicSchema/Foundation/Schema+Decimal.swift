public import Foundation
import StoicJSON

extension Schema where Value == Decimal {
  /// A number that a `Decimal` holds exactly: up to 38 digits without the zeros at either end, times a power
  /// of ten in -128...127.
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
      write: { value in
        if value.isNaN { return JSON(Double.nan) }
        return (try? JSON(parsing: "\(value)")) ?? JSON(Double.nan)
      })
  }
}

extension JSON {
  fileprivate var decimal: Decimal? {
    guard let (isNegative, digits, exponent) = decimalDigits else { return nil }
    if digits.isEmpty { return 0 }
    guard digits.count <= 38, -128...127 ~= exponent,
      let magnitude = Decimal(string: String(decoding: digits, as: UTF8.self))
    else { return nil }
    return Decimal(sign: isNegative ? .minus : .plus, exponent: exponent, significand: magnitude)
  }
}
