import StoicSchema

/// A moment as HTTP writes it, in whole seconds since 1970 in UTC (RFC 9110, section 5.6.7).
///
/// All three forms are read, by the letter: `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT` and
/// `Sun Nov  6 08:49:37 1994`. A date that no calendar has is none. The name of the day is not held against the date: it
/// adds nothing to it. Second 60 is the first of the next minute.
package struct HTTPDate: Hashable, Sendable {
  /// Seconds since the start of 1970; years 0 to 9999.
  package let seconds: Int

  /// Reads a date; nil where the text is none.
  ///
  /// - Parameters:
  ///   - text: the text, without blanks around it.
  ///   - now: seconds since 1970, by which a year of two digits finds its century: one that would be more than 50 years
  ///     ahead is in the past. Only called for such a year.
  package init?(_ text: some StringProtocol, now: () -> Int) {
    // The longest form has 33 bytes.
    let bytes = Array(text.utf8.prefix(40))
    var scanner = HTTPDateScanner(bytes)
    if let parts = scanner.fixdate() ?? scanner.asctime() {
      guard let seconds = parts.seconds else { return nil }
      self.seconds = seconds
      return
    }
    guard let parts = scanner.rfc850(), let seconds = Self.latest(of: parts, now: now()) else { return nil }
    self.seconds = seconds
  }

  /// The moment of the latest century that is at most 50 years ahead.
  private static func latest(of parts: HTTPDateParts, now: Int) -> Int? {
    // Far from what a year of two digits can mean, and where nothing overflows.
    let now = min(max(now, -60_000_000_000), 250_000_000_000)
    let (days, time) = (Int((Double(now) / 86_400).rounded(.down)), now)
    let today = CivilDate(daysSince1970: days)
    // 50 years after a leap day is the first of March.
    let limitDay =
      CivilDate(year: today.year + 50, month: today.month, day: today.day)
      ?? CivilDate(year: today.year + 50, month: 3, day: 1)
    guard let limitDay else { return nil }
    let limit = limitDay.daysSince1970 * 86_400 + time - days * 86_400
    let century = today.year / 100 * 100
    return [century + 100, century, century - 100].lazy
      .compactMap { HTTPDateParts(parts, year: $0 + parts.year).seconds }
      .first { $0 <= limit }
  }
}

/// The numbers of a date.
struct HTTPDateParts {
  var year: Int
  var month: Int
  var day: Int
  var time: Int

  init(year: Int, month: Int, day: Int, time: Int) {
    self.year = year
    self.month = month
    self.day = day
    self.time = time
  }

  /// The same numbers in another year.
  init(_ other: HTTPDateParts, year: Int) {
    self = other
    self.year = year
  }

  /// Seconds since 1970; nil where the calendar has no such day.
  var seconds: Int? {
    CivilDate(year: year, month: month, day: day).map { $0.daysSince1970 * 86_400 + time }
  }
}
