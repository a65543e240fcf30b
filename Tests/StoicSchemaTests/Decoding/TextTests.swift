import Foundation
import StoicJSON
import StoicSchema
import Testing

@Suite("Texts with a form")
struct TextTests {
  @Test("A length counts Unicode scalars")
  func length() {
    #expect(value(of: .string(length: 2...3), in: #""é😀""#) == "é😀")
    #expect(issues(of: .string(length: 2...3), in: #""a""#) == ["length $"])
    #expect(issues(of: .string(length: 2...3), in: #""👨‍👩‍👧""#) == ["length $"])
    #expect(
      messages(of: .string(length: 2...3), in: #""secret""#)
        == ["expected string of length at least 2 and at most 3, found another string"])
    #expect(issues(of: .array(.int, count: 1...2), in: "[]") == ["length $"])
    #expect(issues(of: .array(.int, count: 1...2), in: "[1,2,3]") == ["length $"])
    #expect(value(of: .array(.int, count: 1...2), in: "[1]") == [1])
    #expect(issues(of: .dictionary(.int, count: 1...), in: "{}") == ["length $"])
  }

  @Test("A pattern matches the whole string")
  func pattern() {
    let schema: Schema<String> = .string(matching: "[A-Z]{2}[0-9]+")
    #expect(value(of: schema, in: #""AB12""#) == "AB12")
    #expect(issues(of: schema, in: #""xAB12""#) == ["format $"])
    #expect(issues(of: schema, in: #""AB12\n""#) == ["format $"])
    #expect(
      messages(of: schema, in: #""secret""#) == [
        #"expected string that matches "[A-Z]{2}[0-9]+", found another string"#
      ])
  }

  @Test("A UUID is 32 digits in five groups, in either case")
  func uuid() throws {
    let text = "123e4567-e89b-12d3-a456-426614174000"
    let uuid = try #require(value(of: .uuid, in: "\"\(text.uppercased())\""))
    #expect(uuid == UUID(uuidString: text))
    #expect(Schema.uuid.encode(uuid).string == text)
    #expect(issues(of: .uuid, in: "\"{\(text)}\"") == ["format $"])
    #expect(issues(of: .uuid, in: "\"\(text.replacing("-", with: ""))\"") == ["format $"])
    #expect(messages(of: .uuid, in: "\"hunter2\"") == ["expected UUID, found another string"])
    #expect(messages(of: .nullable(.uuid), in: "7") == ["expected UUID or null, found number"])
  }

  @Test(
    "A URL is an absolute URI of RFC 3986",
    arguments: [
      ("https://example.com/a?b=c#d", true), ("http://u:p@example.com:8080/%20", true),
      ("mailto:a@b.c", true),
      ("urn:isbn:123", true), ("file:///tmp/x", true), ("a:", true), ("/relative", false),
      ("example.com", false),
      ("https://example.com/a b", false), ("https://example.com/ä", false), ("https://example.com/%2", false),
      ("https://[::1]/", true), ("http://u@[2001:db8:0:0:0:ffff:192.0.2.255]:8/a", true),
      ("http://[1:2:3:4:5:6:7:8]", true), ("http://[1::7:8]", true), ("http://[1:2:3:4:5:6:7::]", true),
      ("http://[::]", true), ("http://[1:2:3:4:5:6::8]", true),
      ("http://[1:2:3:4:5:6::7:8]", false), ("http://[1::2::3]", false), ("http://[1:2:3:4:5:6:7]", false),
      ("http://[12345::]", false), ("http://[::256.0.0.1]", false), ("http://[fe80::1%25eth0]", false),
      ("http://[1:2:3:4:5:6:7:8:9]", false), ("http://[::1]x", false), ("http://[::1", false),
      ("http://::1/", false), ("http://[v1.a]", false), ("https://h:80x/", false), ("", false),
      ("1a:b", false),
      ("https://h:999999/", false),
    ])
  func url(text: String, isValid: Bool) {
    #expect((value(of: .url, in: "\"\(text)\"") != nil) == isValid)
    #expect(value(of: .url, in: "\"\(text)\"").map { Schema.url.encode($0).string == text } ?? true)
  }
}

@Suite("Dates of RFC 3339")
struct DateTests {
  @Test(
    "A date is read the same everywhere",
    arguments: [
      ("1970-01-01T00:00:00Z", 0), ("2026-03-01T09:30:00Z", 1_772_357_400),
      ("2026-03-01t10:30:00.0+01:00", 1_772_357_400),
      ("2026-03-01T04:00:00-05:30", 1_772_357_400), ("2000-02-29T00:00:00z", 951_782_400),
      ("1969-12-31T23:59:59Z", -1), ("0000-01-01T00:00:00Z", -62_167_219_200),
      ("9999-12-31T23:59:59Z", 253_402_300_799), ("2016-12-31T23:59:60Z", 1_483_228_800),
      ("2024-01-01T00:00:00.5Z", 1_704_067_200.5),
      ("2024-01-01T00:00:00.123456789Z", 1_704_067_200.123456789),
      ("1999-12-31T23:59:59.999-23:59", 946_771_139.999),
      ("1990-12-31T15:59:60-08:00", 662_688_000), ("1991-01-01T00:59:60.5+01:00", 662_688_000.5),
      ("1991-01-01T22:59:60+23:00", 662_688_000), ("1990-12-31T00:59:60-23:00", 662_688_000),
    ])
  func read(text: String, seconds: Double) throws {
    let date = try #require(value(of: .date, in: "\"\(text)\""))
    #expect(abs(date.timeIntervalSince1970 - seconds) < 1e-6)
  }

  @Test(
    "What is no date of RFC 3339 is an issue",
    arguments: [
      "", "2026-03-01", "2026-03-01T09:30:00", "2026-03-01 09:30:00Z", "2026-3-1T09:30:00Z",
      "2026-13-01T00:00:00Z",
      "2026-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2026-04-31T00:00:00Z", "2026-00-10T00:00:00Z",
      "2026-03-01T24:00:00Z", "2026-03-01T09:60:00Z", "2026-03-01T09:30:61Z", "2026-03-01T09:30:60Z",
      "2026-03-01T23:59:60+01:00", "2026-03-01T15:59:60+08:00", "2026-03-01T15:58:60-08:00",
      "2026-03-01T15:59:60-08:30", "2026-03-01T20:29:60-03:30", "2026-03-01T15:59:60Z",
      "2026-03-01T09:30:00.Z", "2026-03-01T09:30:00.1234567890Z",
      "2026-03-01T09:30:00+24:00", "2026-03-01T09:30:00+01:60", "2026-03-01T09:30:00+0100",
      "2026-03-01T09:30:00Zx",
      "+2026-03-01T09:30:00Z", "2026-03-01T09:30:00\u{FF3A}", "２026-03-01T09:30:00Z",
      "2026-03-01T09:30:00Z" + String(repeating: " ", count: 100),
    ])
  func refused(text: String) {
    #expect(issues(of: .date, in: "\"\(text)\"") == ["format $"])
    #expect(messages(of: .date, in: "\"\(text)\"") == ["expected date of RFC 3339, found another string"])
  }

  @Test("A date is written in UTC with as few digits as give it back")
  func written() {
    func text(_ seconds: Double) -> String? {
      Schema.date.encode(Date(timeIntervalSinceReferenceDate: seconds)).string
    }
    #expect(text(-978_307_200) == "1970-01-01T00:00:00Z")
    #expect(text(794_050_200.5) == "2026-03-01T09:30:00.5Z")
    #expect(text(794_050_200.123) == "2026-03-01T09:30:00.123Z")
    #expect(text(0.123_456_789) == "2001-01-01T00:00:00.123456789Z")
    #expect(text(0.123_456_78) == "2001-01-01T00:00:00.12345678Z")
    #expect(text(-978_307_200.25) == "1969-12-31T23:59:59.75Z")
    #expect(text(252_423_993_599) == "9999-12-31T23:59:59Z")
    #expect(text(-63_145_526_400) == "0000-01-01T00:00:00Z")
  }

  @Test(
    "A date that RFC 3339 cannot say is refused when the text is written",
    arguments: [253_402_300_800, -62_167_219_201, 1e300, -1e300, .infinity, .nan] as [Double])
  func unwritable(seconds: Double) {
    #expect(throws: JSONWritingError.self) {
      try Schema.date.encode(Date(timeIntervalSince1970: seconds)).serialized()
    }
  }
}
