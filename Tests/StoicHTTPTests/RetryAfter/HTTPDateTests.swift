import Foundation
import StoicHTTP
import Testing

@Suite("HTTP-dates")
struct HTTPDateTests {
  private func seconds(_ text: String, now: Int = 1_780_315_200) -> Int? {
    HTTPDate(text, now: { now })?.seconds
  }

  @Test(
    "All three forms are read, to the second",
    arguments: [
      ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
      ("Sun Nov  6 08:49:37 1994", 784_111_777), ("Sun Nov 16 08:49:37 1994", 784_975_777),
      ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Wed, 31 Dec 1969 23:59:59 GMT", -1),
      ("Mon, 01 Jun 2026 12:00:00 GMT", 1_780_315_200), ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
      ("Sat, 01 Jan 0000 00:00:00 GMT", -62_167_219_200), ("Thu, 29 Feb 2024 23:59:59 GMT", 1_709_251_199),
      // A leap second is the next minute's first.
      ("Sat, 31 Dec 2016 23:59:60 GMT", 1_483_228_800), ("Mon Jun 01 12:00:60 2026", 1_780_315_260),
      // The name of the day adds nothing.
      ("Tue, 06 Nov 1994 08:49:37 GMT", 784_111_777),
    ] as [(String, Int)])
  func forms(text: String, expected: Int) {
    #expect(seconds(text) == expected)
  }

  @Test(
    "What is none of the forms by the letter, or a date that no calendar has, is none",
    arguments: [
      "", " ", "GMT", "Sun", "Sun, ", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 gmt",
      "Sun, 06 Nov 1994 08:49:37 UTC", "Sun, 06 Nov 1994 08:49:37 +0000", "Sun, 06 Nov 1994 08:49:37 GMT ",
      " Sun, 06 Nov 1994 08:49:37 GMT", "sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 nov 1994 08:49:37 GMT",
      "Sun, 6 Nov 1994 08:49:37 GMT", "Sun,06 Nov 1994 08:49:37 GMT", "Sun,  06 Nov 1994 08:49:37 GMT",
      "Sunday, 06 Nov 1994 08:49:37 GMT", "Sun, 06-Nov-94 08:49:37 GMT", "Sunday, 06-Nov-1994 08:49:37 GMT",
      "Sun, 06 Nov 94 08:49:37 GMT", "Sun, 06 November 1994 08:49:37 GMT", "Sun Nov 6 08:49:37 1994",
      "Sun Nov  6 08:49:37 1994 GMT", "Sun Nov  6 08:49:37 94", "Sun Nov   6 08:49:37 1994",
      "Sun, 06 Nov 1994 8:49:37 GMT", "Sun, 06 Nov 1994 08:49 GMT", "Sun, 06 Nov 1994 24:00:00 GMT",
      "Sun, 06 Nov 1994 23:60:00 GMT", "Sun, 06 Nov 1994 23:59:61 GMT", "Sun, 06 Nov 1994 -1:59:59 GMT",
      "Fri, 31 Dec 99999 23:59:59 GMT", "Fri, 31 Dec -999 23:59:59 GMT", "Tue, 31 Feb 2026 00:00:30 GMT",
      "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 32 Nov 1994 08:49:37 GMT", "Tue, 31 Apr 2026 00:00:00 GMT",
      "Sun, 29 Feb 2026 00:00:00 GMT", "Mon, 29 Feb 2100 00:00:00 GMT", "Sunday, 31-Feb-26 08:49:37 GMT",
      "Tue Feb 30 00:00:00 2026", "Sun, ٠٦ Nov 1994 08:49:37 GMT", "Sün, 06 Nov 1994 08:49:37 GMT",
      "Sun, 06 Nov 1994 08:49:37 GMT\0", "1994-11-06T08:49:37Z",
      "Sun, 06 Nov 1994 08:49:37 GMT, Sun, 06 Nov 1994 08:49:37 GMT",
    ])
  func others(text: String) {
    #expect(seconds(text) == nil)
  }

  @Test(
    "A year of two digits is the latest that is at most 50 years ahead",
    arguments: [
      // Now is Mon, 01 Jun 2026 12:00:00 GMT.
      ("Monday, 01-Jun-76 12:00:00 GMT", 1_780_315_200, 3_358_238_400),
      ("Monday, 01-Jun-76 12:00:01 GMT", 1_780_315_200, 202_478_401),
      ("Wednesday, 01-Jun-77 12:00:30 GMT", 1_780_315_200, 234_014_430),
      ("Monday, 01-Jun-26 12:00:30 GMT", 1_780_315_200, 1_780_315_230),
      ("Sunday, 31-Dec-25 00:00:00 GMT", 1_780_315_200, 1_767_139_200),
      // Late in a century the next one is near: now is 1 January 2090.
      ("Friday, 01-Jan-10 00:00:00 GMT", 3_786_912_000, 4_417_977_600),
      ("Friday, 01-Jan-41 00:00:00 GMT", 3_786_912_000, 2_240_611_200),
      // 2100 has no leap day, so the one meant is that of 2000.
      ("Tuesday, 29-Feb-00 00:00:00 GMT", 3_786_912_000, 951_782_400),
      // 50 years after a leap day is the first of March: now is 29 February 2024.
      ("Thursday, 01-Mar-74 00:00:00 GMT", 1_709_164_800, 3_287_088_000),
      ("Thursday, 01-Mar-74 00:00:01 GMT", 1_709_164_800, 131_328_001),
    ] as [(String, Int, Int)])
  func centuries(text: String, now: Int, expected: Int) {
    let date = seconds(text, now: now).map { Date(timeIntervalSince1970: TimeInterval($0)) }
    #expect(date == Date(timeIntervalSince1970: TimeInterval(expected)))
  }

  @Test("Every second day of 400 years agrees with Foundation's calendar in all forms")
  func calendar() throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(identifier: "UTC"))
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    func padded(_ number: Int, _ pad: String = "0") -> String { (number < 10 ? pad : "") + "\(number)" }
    for day in stride(from: -40_000, to: 106_097, by: 2) {
      let seconds = day * 86_400 + 3_723
      let parts = calendar.dateComponents(
        [.year, .month, .day], from: Date(timeIntervalSince1970: TimeInterval(seconds)))
      let (year, month, number) = (parts.year ?? 0, months[(parts.month ?? 1) - 1], parts.day ?? 0)
      #expect(self.seconds("Mon, \(padded(number)) \(month) \(year) 01:02:03 GMT") == seconds)
      #expect(self.seconds("Mon \(month) \(padded(number, " ")) 01:02:03 \(year)") == seconds)
      let short = "Monday, \(padded(number))-\(month)-\(padded(year % 100)) 01:02:03 GMT"
      #expect(self.seconds(short, now: seconds) == seconds)
    }
  }

  @Test("No time of day makes a year of two digits trap", arguments: [.min, -1, 0, 253_402_300_800, .max])
  func extremes(now: Int) {
    #expect(seconds("Monday, 01-Jun-76 12:00:00 GMT", now: now) != nil)
  }
}
