import Foundation
import StoicHTTP
import Testing

@Suite("Quotas in fields")
struct QuotaReportTests {
  typealias Entry = QuotaReport.Entry

  private static func entries(_ headers: HTTPHeaders, readsX: Bool = false) -> [Entry] {
    QuotaReport(headers, readsX: readsX) { Date(timeIntervalSince1970: 1_700_000_000) }.entries
  }

  @Test(
    "The field of the current draft is read, with its policies",
    arguments: [
      (#""default";r=50;t=30"#, "", [Entry("default", remaining: 50, reset: .seconds(30))]),
      (
        #""default";r=50;t=30"#, #""default";q=100;w=60"#,
        [Entry("default", remaining: 50, reset: .seconds(30), limit: 100, window: .seconds(60))]
      ),
      (
        #""day";r=0;t=9,"min" ; r=3"#.replacing(" ;", with: ";"), #""min";q=10;w=60;pk=:YQ==:,"day";q=1000"#,
        [
          Entry("day", remaining: 0, reset: .seconds(9), limit: 1_000),
          Entry("min", remaining: 3, limit: 10, window: .seconds(60)),
        ]
      ),
      (#""a\"b\\";r=1"#, "", [Entry(#"a"b\"#, remaining: 1)]),
      (#""bytes";r=1;t=9"#, #""bytes";q=10;w=9;qu="content-bytes""#, []),
      (
        #""a";r=1;t=9"#, #""a";q=10;w=9;qu="requests""#,
        [
          Entry("a", remaining: 1, reset: .seconds(9), limit: 10, window: .seconds(9))
        ]
      ),
      (#""a";r=1;t=9"#, "garbage;;", [Entry("a", remaining: 1, reset: .seconds(9))]),
      ("limit=100, remaining=5, reset=7", "", [Entry("", remaining: 5, reset: .seconds(7), limit: 100)]),
    ] as [(String, String, [Entry])])
  func current(_ field: String, _ policy: String, _ expected: [Entry]) {
    var headers: HTTPHeaders = ["RateLimit": field]
    if !policy.isEmpty { headers["RateLimit-Policy"] = policy }
    #expect(Self.entries(headers) == expected)
  }

  @Test(
    "Of several numbers for one quota in a field the strictest count, each as a whole",
    arguments: [
      (
        #""a";r=9;t=60,"a";r=3;t=5,"b";r=1"#,
        [Entry("a", remaining: 3, reset: .seconds(5)), Entry("b", remaining: 1)]
      ),
      (#""a";r=3;t=5,"a";r=9;t=60"#, [Entry("a", remaining: 3, reset: .seconds(5))]),
      (
        #""a";r=3;t=5;pk=:YQ==:,"a";r=3;t=8;pk=:Yg==:,"a";r=3"#,
        [Entry("a", remaining: 3, reset: .seconds(8))]
      ),
    ] as [(String, [Entry])])
  func several(_ field: String, _ expected: [Entry]) {
    #expect(Self.entries(["RateLimit": field]) == expected)
  }

  @Test(
    "Of several policies for one quota the strictest of those that count requests counts",
    arguments: [
      #""a";q=10;w=60,"a";q=90;w=60"#, #""a";q=90;w=60,"a";q=10;w=60"#, #""a";q=10;w=60,"a";q=10;w=5"#,
      #""a";q=5;qu="content-bytes","a";q=10;w=60"#,
    ])
  func severalPolicies(_ field: String) {
    #expect(
      Self.entries(["RateLimit": #""a";r=3"#, "RateLimit-Policy": field])
        == [Entry("a", remaining: 3, limit: 10, window: .seconds(60))])
  }

  @Test(
    "What is no quota is as good as not said",
    arguments: [
      "", " ", ",", "50", "r=50", #""default""#, #""default";r"#, #""default";r=-1"#, #""default";r=0.5"#,
      #""default";r=NaN"#, #""default";r=1e3"#, #""default";r="5""#, #""default";r=?1"#,
      #""default";r=1000000000000000000000000000000"#, #""default";r=1000000000000000"#, #""default";r=5,"#,
      #""default";r=5;"#,
      #""default;r=5"#, #""dé";r=5"#, "\"\u{0}\";r=5", #"("a" "b");r=5"#, "remaining=-5, reset=1",
      "remaining=NaN",
      "reset=5", "@;r=5", ":a;r=5", "?2", #"*a;r=5"#, "-", #""a"; r = 5"#,
    ])
  func garbage(_ field: String) {
    #expect(Self.entries(["RateLimit": field]) == [])
  }

  @Test("Numbers of up to fifteen digits are taken, and nothing overflows")
  func large() {
    #expect(
      Self.entries(["RateLimit": #""a";r=999999999999999;t=999999999999999"#])
        == [Entry("a", remaining: 999_999_999_999_999, reset: .seconds(999_999_999_999_999))])
    #expect(
      Self.entries(["RateLimit": Array(repeating: #""a";r=1"#, count: 65).joined(separator: ",")]) == [])
  }

  @Test(
    "The three older fields are read, a reset as seconds or as a moment",
    arguments: [
      ("10", "3", "7", [Entry("", remaining: 3, reset: .seconds(7), limit: 10)]),
      (
        "10, 10;w=60, 50;w=3600", "3", "7",
        [Entry("", remaining: 3, reset: .seconds(7), limit: 10, window: .seconds(60))]
      ),
      ("10", "0", "1700000030", [Entry("", remaining: 0, reset: .seconds(30), limit: 10)]),
      ("10", "0", "1600000000", [Entry("", remaining: 0, reset: .zero, limit: 10)]),
      ("x", "0", "-5", [Entry("", remaining: 0)]),
      ("10", "NaN", "5", []), ("10", "-1", "5", []), ("10", "1, 2", "5", []), ("10", "", "5", []),
      ("10", "9999999999999999999999999999999", "5", []),
    ] as [(String, String, String, [Entry])])
  func older(_ limit: String, _ remaining: String, _ reset: String, _ expected: [Entry]) {
    #expect(
      Self.entries([
        "RateLimit-Limit": limit, "RateLimit-Remaining": remaining, "RateLimit-Reset": reset,
      ]) == expected)
  }

  @Test("A moment is measured from the response's own Date")
  func date() {
    #expect(
      Self.entries([
        "RateLimit-Remaining": "0", "RateLimit-Reset": "1000000060", "Date": "Sun, 09 Sep 2001 01:46:40 GMT",
      ]) == [Entry("", remaining: 0, reset: .seconds(60))])
  }

  @Test("Fields with X in front are read only where the policy says so, and last")
  func x() {
    let headers: HTTPHeaders = [
      "X-RateLimit-Limit": "10", "X-RateLimit-Remaining": "1", "X-RateLimit-Reset": "5",
    ]
    #expect(Self.entries(headers) == [])
    #expect(Self.entries(headers, readsX: true) == [Entry("", remaining: 1, reset: .seconds(5), limit: 10)])
    var both = headers
    both["RateLimit-Remaining"] = "7"
    #expect(Self.entries(both, readsX: true) == [Entry("", remaining: 7)])
    both["RateLimit"] = #""new";r=8"#
    #expect(Self.entries(both, readsX: true) == [Entry("new", remaining: 8)])
  }

  @Test("Of several lines all count, of several numbers the fewest requests and the longest time")
  func lines() {
    var headers: HTTPHeaders = ["RateLimit": #""a";r=1"#]
    headers.add("RateLimit", #""b";r=2"#)
    #expect(Self.entries(headers) == [Entry("a", remaining: 1), Entry("b", remaining: 2)])
    headers = ["RateLimit-Remaining": "5", "RateLimit-Reset": "1"]
    headers.add("RateLimit-Remaining", "4")
    headers.add("RateLimit-Reset", "9")
    #expect(Self.entries(headers) == [Entry("", remaining: 4, reset: .seconds(9))])
  }

  @Test("Any bytes are read without a trap")
  func fuzz() {
    let random = RandomSource.seeded(1)
    let alphabet = Array(#""\;=,:?@()*- .0123456789abrtqw"#.unicodeScalars) + ["\u{0}", "é", "\t", "\n"]
    for _ in 0..<20_000 {
      var text = String.UnicodeScalarView()
      for _ in 0..<Int(random.next() % 24) {
        text.append(alphabet[Int(random.next() % UInt64(alphabet.count))])
      }
      let value = String(text)
      let entries = Self.entries(
        [
          "RateLimit": value, "RateLimit-Policy": value, "RateLimit-Remaining": value,
          "RateLimit-Reset": value,
        ])
      for entry in entries {
        #expect(entry.remaining >= 0 && entry.reset ?? .zero >= .zero && entry.limit ?? 0 >= 0)
      }
    }
  }
}
