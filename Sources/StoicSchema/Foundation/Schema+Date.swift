public import Foundation
import StoicJSON

extension Schema where Value == Date {
  /// A point in time as RFC 3339 writes it, with up to nine digits of a second's fraction.
  ///
  /// The reader is this package's own and the same on every system. Years are 0000...9999; a leap second is
  /// accepted in `23:59:60Z`, also as an offset of whole hours has it, and is the second after. A date is written in UTC, with as few digits as give it
  /// back; what is written decodes to the same date wherever a nanosecond tells dates apart, which is more
  /// than a hundred days away from 2001-01-01. A date beyond the years, or not finite, becomes a value that
  /// `serialized()` refuses.
  public static var date: Schema {
    Schema(
      expected: "date of RFC 3339",
      export: ["type": "string", "format": "date-time", "pattern": JSON(RFC3339.pattern.export)],
      read: { json, context, place in
        guard let text = json.string else {
          context.recordMismatch(expected: "date of RFC 3339", found: json)
          return false
        }
        guard let time = RFC3339(text) else {
          context.record(
            .format, offset: json.start, .kinds(expected: "date of RFC 3339", found: "another string"))
          return false
        }
        place.put(Date(time))
        return true
      },
      write: { date in date.rfc3339.map { JSON($0) } ?? JSON(Double.nan) })
  }
}

extension Date {
  /// The seconds from 1970 to 2001, where dates count from.
  private static let reference = 978_307_200

  fileprivate init(_ time: RFC3339) {
    let seconds = Double(time.seconds - Self.reference)
    self.init(timeIntervalSinceReferenceDate: seconds + Double(time.nanoseconds) / 1e9)
  }

  /// The text with the fewest digits that read back as this date; all nine where none do.
  fileprivate var rfc3339: String? {
    let interval = timeIntervalSinceReferenceDate
    // All that has a year of four digits, and more.
    guard interval.magnitude < 1e12 else { return nil }
    let whole = interval.rounded(.down)
    for digits in 0...9 {
      let time = Self.rounded(Int(whole), interval - whole, digits)
      if digits == 9 || Date(time) == self { return time.text(fractionDigits: digits) }
    }
    return nil
  }

  private static func rounded(_ seconds: Int, _ fraction: Double, _ digits: Int) -> RFC3339 {
    let unit = (digits..<9).reduce(1) { unit, _ in unit * 10 }
    let nanoseconds = Int((fraction * 1e9 / Double(unit)).rounded()) * unit
    return nanoseconds < 1_000_000_000
      ? RFC3339(seconds: seconds + reference, nanoseconds: nanoseconds)
      : RFC3339(seconds: seconds + reference + 1, nanoseconds: 0)
  }
}
