/// Takes a date apart by the letter of RFC 9110, section 5.6.7; each form either fits from the first byte to the last or
/// not at all.
struct HTTPDateScanner {
  private let bytes: [UInt8]
  private var position = 0

  private static let days: [StaticString] = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
  private static let longDays: [StaticString] = [
    "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
  ]
  private static let months: [StaticString] = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Reads `Sun, 06 Nov 1994 08:49:37 GMT`.
  mutating func fixdate() -> HTTPDateParts? {
    position = 0
    guard name(of: Self.days) != nil, skip(", "), let day = number(2), skip(" "),
      let month = name(of: Self.months), skip(" "), let year = number(4), skip(" "), let time = time(),
      skip(" GMT"), isAtEnd
    else { return nil }
    return HTTPDateParts(year: year, month: month, day: day, time: time)
  }

  /// Reads `Sunday, 06-Nov-94 08:49:37 GMT`; the year without its century.
  mutating func rfc850() -> HTTPDateParts? {
    position = 0
    guard name(of: Self.longDays) != nil, skip(", "), let day = number(2), skip("-"),
      let month = name(of: Self.months), skip("-"), let year = number(2), skip(" "), let time = time(),
      skip(" GMT"), isAtEnd
    else { return nil }
    return HTTPDateParts(year: year, month: month, day: day, time: time)
  }

  /// Reads `Sun Nov  6 08:49:37 1994`.
  mutating func asctime() -> HTTPDateParts? {
    position = 0
    guard name(of: Self.days) != nil, skip(" "), let month = name(of: Self.months), skip(" "),
      let day = skip(" ") ? number(1) : number(2), skip(" "), let time = time(), skip(" "),
      let year = number(4), isAtEnd
    else { return nil }
    return HTTPDateParts(year: year, month: month, day: day, time: time)
  }

  private var isAtEnd: Bool { position == bytes.count }

  private mutating func time() -> Int? {
    guard let hour = number(2), skip(":"), let minute = number(2), skip(":"), let second = number(2),
      hour <= 23, minute <= 59, second <= 60
    else { return nil }
    return hour * 3_600 + minute * 60 + second
  }

  /// The place of a name in a list, from 1.
  private mutating func name(of names: [StaticString]) -> Int? {
    names.firstIndex { skip($0) }.map { $0 + 1 }
  }

  private mutating func skip(_ text: StaticString) -> Bool {
    let end = position + text.utf8CodeUnitCount
    guard end <= bytes.count,
      text.withUTF8Buffer({ bytes[position..<end].elementsEqual($0) })
    else { return false }
    position = end
    return true
  }

  private mutating func number(_ width: Int) -> Int? {
    guard position + width <= bytes.count else { return nil }
    var value = 0
    for byte in bytes[position..<(position + width)] {
      guard (48...57).contains(byte) else { return nil }
      value = value * 10 + Int(byte - 48)
    }
    position += width
    return value
  }
}
