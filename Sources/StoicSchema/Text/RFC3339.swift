/// A point in time as RFC 3339 writes it: `2026-03-01T09:30:00.25+01:00`.
///
/// The same on every system. Years are 0000...9999 in the proleptic Gregorian calendar; a fraction has one to
/// nine digits; `T` and `Z` may be lower case. A leap second is accepted where UTC has them, in `23:59:60Z`
/// and in what this is at an offset of whole hours, such as `15:59:60-08:00`; it is the second after.
struct RFC3339: Equatable {
  /// Whole seconds since 1970, leap seconds not counted.
  let seconds: Int
  /// 0..<1,000,000,000.
  let nanoseconds: Int

  /// What this reader accepts, as a regular expression.
  static let pattern: Pattern = {
    let leapYear = "(?:[0-9][0-9](?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)"
    let date =
      "(?:[0-9]{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)"
      + "|02-(?:0[1-9]|1[0-9]|2[0-8]))|\(leapYear)-02-29)"
    let clock = "(?:[01][0-9]|2[0-3]):[0-5][0-9]"
    let fraction = "(?:\\.[0-9]{1,9})?"
    let leapSeconds = (0...22).map { hour in
      "\(padded(hour, 2)):59:60\(fraction)(?:\\+\(padded(hour + 1, 2))|-\(padded(23 - hour, 2))):00"
    }
    let time =
      "(?:\(clock):[0-5][0-9]\(fraction)(?:[Zz]|[+\\-]\(clock))|23:59:60\(fraction)(?:[Zz]|[+\\-]00:00)"
      + "|\(leapSeconds.joined(separator: "|")))"
    return Pattern(ofProgram: "\(date)[Tt]\(time)")
  }()

  init(seconds: Int, nanoseconds: Int) {
    self.seconds = seconds
    self.nanoseconds = nanoseconds
  }

  /// Reads a text; nil when it is none.
  init?(_ text: String) {
    var reader = Reader(bytes: Array(text.utf8.prefix(64)))
    guard let year = reader.number(4), reader.skip("-"), let month = reader.number(2), reader.skip("-"),
      let day = reader.number(2), reader.skip("T") || reader.skip("t"), let hour = reader.number(2),
      reader.skip(":"), let minute = reader.number(2), reader.skip(":"), let second = reader.number(2)
    else { return nil }
    guard let date = CivilDate(year: year, month: month, day: day), hour <= 23, minute <= 59, second <= 60
    else { return nil }
    guard let nanoseconds = reader.fraction(), let offset = reader.offset(), reader.isAtEnd else {
      return nil
    }
    if second == 60, minute != 59 || offset % 60 != 0 || (hour - offset / 60 + 24) % 24 != 23 { return nil }
    self.init(
      seconds: date.daysSince1970 * 86_400 + hour * 3_600 + minute * 60 + second - offset * 60,
      nanoseconds: nanoseconds)
  }

  /// The text in UTC, with so many digits of the second's fraction; nil outside of the years 0000...9999.
  func text(fractionDigits: Int) -> String? {
    let days = seconds >= 0 ? seconds / 86_400 : -((86_399 - seconds) / 86_400)
    let time = seconds - days * 86_400
    let day = CivilDate(daysSince1970: days)
    guard 0...9999 ~= day.year else { return nil }
    let fraction = fractionDigits == 0 ? "" : "." + Self.padded(nanoseconds, 9).prefix(fractionDigits)
    let date = [(day.year, 4), (day.month, 2), (day.day, 2)].map(Self.padded).joined(separator: "-")
    let clock = [time / 3_600, time / 60 % 60, time % 60].map { Self.padded($0, 2) }.joined(separator: ":")
    return "\(date)T\(clock)\(fraction)Z"
  }

  private static func padded(_ number: Int, _ width: Int) -> String {
    let digits = "\(number)"
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}

extension RFC3339 {
  private struct Reader {
    let bytes: [UInt8]
    private var position = 0

    init(bytes: [UInt8]) {
      self.bytes = bytes
    }

    var isAtEnd: Bool { position == bytes.count }

    mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
      guard position < bytes.count, bytes[position] == UInt8(ascii: scalar) else { return false }
      position += 1
      return true
    }

    private mutating func digit() -> Int? {
      guard position < bytes.count, case let digit = bytes[position] &- UInt8(ascii: "0"), digit <= 9 else {
        return nil
      }
      position += 1
      return Int(digit)
    }

    mutating func number(_ width: Int) -> Int? {
      var value = 0
      for _ in 0..<width {
        guard let digit = digit() else { return nil }
        value = value * 10 + digit
      }
      return value
    }

    /// The fraction of a second in nanoseconds; 0 when there is none, nil when it has no digit or more than
    /// nine.
    mutating func fraction() -> Int? {
      guard skip(".") else { return 0 }
      var value = 0
      var count = 0
      while let digit = digit() {
        value = value * 10 + digit
        count += 1
        if count > 9 { return nil }
      }
      if count == 0 { return nil }
      for _ in count..<9 { value *= 10 }
      return value
    }

    /// The distance from UTC in minutes.
    mutating func offset() -> Int? {
      if skip("Z") || skip("z") { return 0 }
      let isNegative = skip("-")
      guard isNegative || skip("+"), let hours = number(2), skip(":"), let minutes = number(2), hours <= 23,
        minutes <= 59
      else { return nil }
      return (hours * 60 + minutes) * (isNegative ? -1 : 1)
    }
  }
}
