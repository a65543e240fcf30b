import Foundation
import StoicHTTP
import Testing

@Suite("Outcomes of single responses")
struct HTTPOutcomeTests {
  private func outcome(
    _ status: Int, _ headers: HTTPHeaders = [:], expecting type: String = "application/json"
  )
    -> HTTPOutcome
  {
    HTTPResponse(status: status, headers: headers, body: [1]).outcome(
      expecting: type, wallClock: { Date(timeIntervalSince1970: 1_780_315_200) })
  }

  @Test(
    "The status decides first, by its own meaning and then by its hundred",
    arguments: [
      (200, .success([1])), (201, .success([1])), (204, .noContent), (205, .success([1])),
      (299, .success([1])),
      (304, .notModified), (300, .unexpectedStatus(300)), (302, .unexpectedStatus(302)),
      (400, .clientError(400)),
      (401, .unauthorized), (403, .clientError(403)), (404, .clientError(404)),
      (429, .rateLimited(retryAfter: nil)),
      (499, .clientError(499)), (500, .serverError(500)), (503, .serverError(503)), (599, .serverError(599)),
      (600, .unexpectedStatus(600)), (999, .unexpectedStatus(999)), (100, .unexpectedStatus(100)),
      (0, .unexpectedStatus(0)), (-1, .unexpectedStatus(-1)),
    ] as [(Int, HTTPOutcome)])
  func statuses(status: Int, expected: HTTPOutcome) {
    #expect(outcome(status, ["Content-Type": "application/json"]) == expected)
    if status != 200, !(200..<300).contains(status) { #expect(outcome(status) == expected) }
  }

  @Test(
    "A success of another type is none, and its type is told without parameters",
    arguments: [
      ("application/json", .success([1])), ("Application/JSON; charset=UTF-8", .success([1])),
      ("text/html", .unexpectedType("text/html")), ("Text/HTML; charset=utf-8", .unexpectedType("text/html")),
      ("application/problem+json", .unexpectedType("application/problem+json")), ("", .unexpectedType(nil)),
      (nil, .unexpectedType(nil)),
    ] as [(String?, HTTPOutcome)])
  func types(type: String?, expected: HTTPOutcome) {
    #expect(outcome(200, type.map { ["Content-Type": $0] } ?? [:]) == expected)
  }

  @Test("Any type may be expected, in any case and with parameters")
  func expectations() {
    #expect(
      outcome(200, ["Content-Type": "text/csv"], expecting: "Text/CSV; header=present") == .success([1]))
    #expect(outcome(204, [:], expecting: "text/csv") == .noContent)
    #expect(outcome(200, [:], expecting: "") == .unexpectedType(nil))
  }

  @Test(
    "A rate limit tells the wait in seconds or until a date",
    arguments: [("30", 30), ("Mon, 01 Jun 2026 12:00:30 GMT", 30), ("soon", nil)] as [(String, Int64?)])
  func waits(value: String, seconds: Int64?) {
    #expect(outcome(429, ["Retry-After": value]) == .rateLimited(retryAfter: seconds.map { .seconds($0) }))
  }

  @Test("No text of an outcome shows the body, or more of a type than its name")
  func texts() {
    let odd = outcome(200, ["Content-Type": "SECRET\u{7}/x"])
    for outcome in [outcome(200, ["Content-Type": "application/json"]), odd] {
      var dumped = ""
      dump(outcome, to: &dumped)
      for text in ["\(outcome)", String(reflecting: outcome), dumped] {
        #expect(!text.lowercased().contains("secret") && !text.contains("[1]"))
      }
    }
  }
}
