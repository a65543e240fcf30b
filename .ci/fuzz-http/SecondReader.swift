import Stoic

/// Reads dates and waits a second time, by writing: of the numbers in a text it makes every text that would
/// be a date of these numbers, and looks whether the text is among them.
struct SecondReader {
  /// Seconds since 1970.
  let now: Int

  private static let days = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
  private static let lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

  /// The longest wait of all fields; a field counts when it falls into seconds and dates with commas between.
  static func wait(_ waits: [String], _ dates: [String], _ quarters: Int) -> Duration? {
    // By the far end's clock where its dates are one and the same.
    let own = Set(dates.map { stripped(Array($0.utf8)) })
    let ownTime =
      own.count == 1 ? own.first.flatMap { SecondReader(now: quarters / 4).seconds(of: $0) } : nil
    let start = ownTime.map { $0 * 4 } ?? quarters
    let reader = SecondReader(now: start / 4)
    var all: [Int] = []
    for field in waits {
      let pieces = Array(field.utf8).split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
      // The longest wait of the first pieces; nil where they do not fall into values.
      var reached: [Int?] = [0]
      for end in 1...pieces.count {
        var best: Int?
        for length in 1...2 where end >= length {
          guard let before = reached[end - length] else { continue }
          let text = stripped(Array(pieces[(end - length)..<end].joined(separator: [UInt8(ascii: ",")])))
          guard let wait = reader.quarters(text, from: start) else { continue }
          best = max(best ?? 0, before, wait)
        }
        reached.append(best)
      }
      if let wait = reached[pieces.count] { all.append(wait) }
    }
    return all.max().map {
      // The bound has as many seconds as an `Int` has quarters of them.
      .seconds($0 / 4) + .milliseconds($0 % 4 * 250)
    }
  }

  private func quarters(_ text: [UInt8], from start: Int) -> Int? {
    if !text.isEmpty, text.allSatisfy({ $0 >= 48 && $0 <= 57 }) {
      let digits = text.drop { $0 == 48 }
      guard digits.count < 20 else { return 1 << 62 }
      return Int(min(digits.reduce(0) { $0 * 10 + UInt64($1 - 48) }, 1 << 60)) * 4
    }
    return seconds(of: text).map { max(0, $0 * 4 - start) }
  }

  func seconds(ofDate text: String) -> Int? { seconds(of: Array(text.utf8)) }

  private func seconds(of text: [UInt8]) -> Int? {
    guard text.count < 50, text.allSatisfy({ $0 < 128 }) else { return nil }
    let string = String(decoding: text, as: UTF8.self)
    let numbers = text.split { $0 < 48 || $0 > 57 }.map { Int(String(decoding: $0, as: UTF8.self)) ?? -1 }
    guard numbers.count == 5, numbers.allSatisfy({ 0...9_999 ~= $0 }) else { return nil }
    for month in 1...12 where string.contains(Self.months[month - 1]) {
      let time = numbers[2...4].map { $0 }
      for weekday in Self.days {
        let short = String(weekday.prefix(3))
        let clock = Self.clock(time)
        let (day, year) = (numbers[0], numbers[1])
        let name = Self.months[month - 1]
        if string == "\(short), \(Self.two(day)) \(name) \(Self.four(year)) \(clock) GMT" {
          return Self.seconds((year, month, day), time)
        }
        if string == "\(weekday), \(Self.two(day))-\(name)-\(Self.two(year)) \(clock) GMT" {
          return latest(year, month, day, time)
        }
        let older = (time: Array(numbers[1...3]), year: numbers[4])
        for shown in [Self.two(day), day < 10 ? " \(day)" : ""]
        where string == "\(short) \(name) \(shown) \(Self.clock(older.time)) \(Self.four(older.year))" {
          return Self.seconds((older.year, month, day), older.time)
        }
      }
    }
    return nil
  }

  /// The last year with these digits in which the moment is no more than 50 years ahead, of the clock's century
  /// and those beside it.
  private func latest(_ digits: Int, _ month: Int, _ day: Int, _ time: [Int]) -> Int? {
    // No clock is taken to be beyond these.
    let now = min(max(self.now, -60_000_000_000), 250_000_000_000)
    var day1 = 0
    var year1 = now / 31_556_952 + 1_971
    repeat {
      year1 -= 1
      day1 = Self.day(of: (year1, 1, 1))
    } while day1 * 86_400 > now
    var rest = (now - day1 * 86_400) / 86_400
    let timeOfDay = now - day1 * 86_400 - rest * 86_400
    var month1 = 1
    while rest >= Self.length(month1, year1) {
      rest -= Self.length(month1, year1)
      month1 += 1
    }
    var limit = (year1 + 50, month1, rest + 1, timeOfDay)
    if limit.2 > Self.length(limit.1, limit.0) { limit = (limit.0, 3, 1, timeOfDay) }
    for year in stride(from: year1 + 50, through: year1 / 100 * 100 - 100, by: -1) where year % 100 == digits
    {
      guard let seconds = Self.seconds((year, month, day), time) else { continue }
      if (year, month, day, time[0] * 3_600 + time[1] * 60 + time[2]) <= limit { return seconds }
    }
    return nil
  }

  private static func seconds(_ date: (year: Int, month: Int, day: Int), _ time: [Int]) -> Int? {
    guard date.day >= 1, date.day <= length(date.month, date.year), time[0] < 24, time[1] < 60, time[2] < 61
    else { return nil }
    return ((day(of: date) * 24 + time[0]) * 60 + time[1]) * 60 + time[2]
  }

  /// Days since 1970: the days of all years before, which begin with the year 0, a leap year.
  private static func day(of date: (year: Int, month: Int, day: Int)) -> Int {
    let leapYears = (date.year + 3) / 4 - (date.year + 99) / 100 + (date.year + 399) / 400
    let months = (1..<date.month).reduce(0) { $0 + length($1, date.year) }
    return date.year * 365 + leapYears + months + date.day - 1 - 719_528
  }

  private static func length(_ month: Int, _ year: Int) -> Int {
    let isLeap = year % 400 == 0 || year % 4 == 0 && year % 100 != 0
    return lengths[month - 1] + (month == 2 && isLeap ? 1 : 0)
  }

  private static func clock(_ time: [Int]) -> String { time.map(two).joined(separator: ":") }

  private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

  private static func four(_ number: Int) -> String {
    String(String(10_000 + number).dropFirst(number < 10_000 ? 1 : 0))
  }

  private static func stripped(_ text: [UInt8]) -> [UInt8] {
    let isBlank = { (byte: UInt8) in byte == 32 || byte == 9 }
    return Array(text.drop(while: isBlank).reversed().drop(while: isBlank).reversed())
  }
}
