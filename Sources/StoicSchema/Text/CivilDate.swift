/// A day of the proleptic Gregorian calendar, counted from 1 January 1970 and back.
///
/// Counting begins on 1 March, so that the leap day is the last of a year; eras of 400 years repeat.
package struct CivilDate: Hashable, Sendable {
  /// The year, 0 being 1 BC.
  package let year: Int
  /// 1 to 12.
  package let month: Int
  /// 1 to 31.
  package let day: Int

  /// Makes a day; nil where the calendar has none such, or the year is not from -9,999 to 99,999.
  package init?(year: Int, month: Int, day: Int) {
    guard -9_999...99_999 ~= year, 1...12 ~= month, 1...Self.days(in: month, of: year) ~= day else {
      return nil
    }
    self.year = year
    self.month = month
    self.day = day
  }

  /// The day of a number; those beyond some 8,000 years before and after 1970 are taken for the last such day.
  package init(daysSince1970 days: Int) {
    let shifted = min(max(days, -3_000_000), 3_000_000) + 719_468 + 100 * 146_097
    let (era, dayOfEra) = shifted.quotientAndRemainder(dividingBy: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    year = yearOfEra + (era - 100) * 400 + (month <= 2 ? 1 : 0)
    day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
  }

  /// How many days the day is after 1 January 1970.
  package var daysSince1970: Int {
    let shiftedYear = (month <= 2 ? year - 1 : year) + 400 * 100
    let (era, yearOfEra) = shiftedYear.quotientAndRemainder(dividingBy: 400)
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return (era - 100) * 146_097 + dayOfEra - 719_468
  }

  private static func days(in month: Int, of year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}
