import Foundation
import StoicHTTP
import StoicTesting
import Testing

/// Monday, 1 June 2026, 12:00:00 UTC.
private let noon = Date(timeIntervalSince1970: 1_780_315_200)

@Suite("Retry-After, read")
struct RetryAfterTests {
  private func wait(_ headers: HTTPHeaders, at date: Date = noon) -> Duration? {
    RetryAfter.wait(in: headers, wallClock: { date })
  }

  @Test(
    "RA-07, RA-08, RA-10, RA-11: Only digits are seconds, white space around them aside",
    arguments: [
      ("30", 30), ("\t42 ", 42), ("0", 0), ("007", 7), ("7, 7", 7), ("7,9", 9), ("-5", nil), ("+5", nil),
      ("1.5", nil),
      ("", nil), (" ", nil), ("soon", nil), ("5 seconds", nil), ("1e3", nil), ("0x10", nil), ("5;", nil),
      ("5,", nil),
      (",5", nil), (",", nil), ("5,,5", nil), ("\u{663}", nil), ("5\u{A0}", nil), ("5\n", nil), ("- 5", nil),
      ("1_000", nil), ("1 000", nil), ("5s", nil), ("PT5S", nil), ("∞", nil), ("nan", nil), ("30, soon", nil),
      ("99999999999999999999999999", 1 << 60), ("9223372036854775807", 1 << 60),
      (String(repeating: "9", count: 5_000), 1 << 60), (String(repeating: "0", count: 5_000) + "7", 7),
    ] as [(String, Int64?)])
  func digits(value: String, seconds: Int64?) {
    #expect(wait(["Retry-After": value]) == seconds.map { .seconds($0) })
  }

  @Test("RA-19: Of several fields and values the longest wait counts, and a date keeps its comma")
  func several() {
    let date = "Mon, 01 Jun 2026 12:00:30 GMT"
    #expect(wait(["Retry-After": "7", "retry-after": "7"]) == .seconds(7))
    #expect(wait(["Retry-After": "7", "retry-after": "nonsense"]) == .seconds(7))
    #expect(wait(["Retry-After": "7", "retry-after": "30"]) == .seconds(30))
    #expect(wait(["Retry-After": "30", "retry-after": "7"]) == .seconds(30))
    #expect(wait(["Retry-After": date, "retry-after": date]) == .seconds(30))
    #expect(wait(["Retry-After": "\(date), \(date)"]) == .seconds(30))
    #expect(wait(["Retry-After": "\(date), 7"]) == .seconds(30))
    #expect(wait(["Retry-After": "31, \(date),Mon Jun  1 12:00:20 2026"]) == .seconds(31))
    #expect(wait(["Retry-After": "Monday, 01-Jun-26 12:00:30 GMT,\(date)"]) == .seconds(30))
    #expect(wait(["Retry-After": "\(date), soon"]) == nil)
    #expect(wait(["Retry-After": "Mon,01 Jun 2026 12:00:30 GMT"]) == nil)
    #expect(wait([:]) == nil && wait(["X-Retry-After": "7"]) == nil)
  }

  @Test(
    "RA-20: A date is measured from the response's own Date, in any form, and from the wall clock where that is none"
  )
  func ownDate() {
    let value = "Mon, 01 Jun 2026 12:10:30 GMT"
    let own = "Mon, 01 Jun 2026 12:10:00 GMT"
    #expect(wait(["Date": own, "Retry-After": value]) == .seconds(30))
    #expect(wait(["date": " Mon Jun  1 12:10:00 2026", "Retry-After": value]) == .seconds(30))
    #expect(wait(["Date": "Monday, 01-Jun-26 12:10:00 GMT", "Retry-After": value]) == .seconds(30))
    #expect(wait(["Date": own, "date": own, "Retry-After": value]) == .seconds(30))
    for nonsense in ["", "soon", "Mon, 31 Jun 2026 12:10:00 GMT", "1780315200"] {
      #expect(wait(["Date": nonsense, "Retry-After": value]) == .seconds(630))
    }
    #expect(
      wait(["Date": own, "date": "Mon, 01 Jun 2026 12:10:01 GMT", "Retry-After": value]) == .seconds(630))
    // The century is that of the server's clock too.
    #expect(
      wait(["Date": "Fri, 01 Jan 1999 00:00:00 GMT", "Retry-After": "Friday, 01-Jan-99 00:00:10 GMT"])
        == .seconds(10))
  }

  @Test("RA-14, RA-16: A date asks for no time when it has passed, and for a finite one however far it is")
  func extremes() {
    #expect(wait(["Retry-After": "Mon, 01 Jun 2026 11:00:00 GMT"]) == .zero)
    #expect(wait(["Retry-After": "Sat, 01 Jan 0000 00:00:00 GMT"]) == .zero)
    #expect(
      wait(["Retry-After": "Fri, 31 Dec 9999 23:59:59 GMT"]) == .seconds(253_402_300_799 - 1_780_315_200))
    let value = "Mon, 01 Jun 2026 12:00:30 GMT"
    #expect(wait(["Retry-After": value], at: noon.addingTimeInterval(0.25)) == .milliseconds(29_750))
    for odd in [Double.nan, .infinity, -.infinity, 1e300, -1e300] {
      let wait = wait(["Retry-After": value], at: Date(timeIntervalSince1970: odd))
      #expect(wait.map { $0 >= .zero && $0 <= Duration.seconds(2_000_000_000_000) } ?? false)
      #expect(
        self.wait(["Retry-After": "Monday, 01-Jun-26 12:00:30 GMT"], at: Date(timeIntervalSince1970: odd))
          != nil)
    }
  }

  @Test("CK-07: The wall clock is asked for dates alone")
  func wallClock() {
    let asked = { (headers: HTTPHeaders) in
      var count = 0
      _ = RetryAfter.wait(
        in: headers,
        wallClock: {
          count += 1; return noon
        })
      return count
    }
    #expect(asked(["Retry-After": "30", "Date": "Mon, 01 Jun 2026 12:00:00 GMT"]) == 0)
    #expect(asked(["Retry-After": "soon"]) == 0 && asked([:]) == 0)
    #expect(
      asked(["Retry-After": "Mon, 01 Jun 2026 12:00:30 GMT", "Date": "Mon, 01 Jun 2026 12:00:00 GMT"]) == 0)
    #expect(asked(["Retry-After": "Mon, 01 Jun 2026 12:00:30 GMT"]) == 1)
  }
}

@Suite("Retry-After, followed")
struct RetryAfterFollowedTests {
  private func bench(_ steps: [ScriptedTransport.Step], _ change: (inout HTTPPolicy) -> Void = { _ in })
    -> Rig
  {
    var rig = Rig()
    rig.policy.wallClock = { noon }
    change(&rig.policy)
    rig.transport.on(.get("/x"), respond: steps)
    return rig
  }

  private func asking(_ value: String, status: Int = 503) -> ScriptedTransport.Step {
    .status(status, headers: ["Retry-After": value])
  }

  @Test(
    "RA-01, RA-02, RA-04, RA-05, RA-16, RA-17: A call waits as long as the field says in any of its forms, else by the schedule",
    arguments: [
      ("30", "30s"), ("Mon, 01 Jun 2026 12:00:30 GMT", "30s"), ("Monday, 01-Jun-26 12:00:30 GMT", "30s"),
      ("Mon Jun  1 12:00:30 2026", "30s"), ("Mon Jun 01 12:00:30 2026", "30s"),
      ("Wednesday, 01-Jun-77 12:00:30 GMT", "0.2s"), ("Monday, 01-Jun-76 12:00:00 GMT", "60s"),
      ("Mon, 01 Jun 2026 11:00:00 GMT", "0.2s"), ("Mon, 01 Jun 2026 12:00:00 GMT", "0.2s"),
      ("Mon, 01 Jun 2026 12:00:60 GMT", "60s"), ("Fri, 31 Dec 9999 23:59:59 GMT", "60s"),
      ("Fri, 31 Dec 99999 23:59:59 GMT", "0.2s"), ("Tue, 31 Feb 2026 00:00:30 GMT", "0.2s"), ("0", "0.2s"),
      ("-5", "0.2s"), ("+5", "0.2s"), ("1.5", "0.2s"), ("soon", "0.2s"), ("5,", "0.2s"), ("3600", "60s"),
    ] as [(String, String)])
  func forms(value: String, wait: String) async throws {
    let rig = bench([asking(value), .status(200)])
    try await rig.run { try await $0.send(.get("/x")) }
    #expect(rig.waits == [wait])
    #expect(rig.transport.requests.count == 2 && rig.isClean)
  }

  @Test("RA-22: The field is followed on every retried status", arguments: [408, 429, 500, 502, 503, 504])
  func statuses(status: Int) async throws {
    let rig = bench([
      asking("3", status: status), asking("Mon, 01 Jun 2026 12:00:04 GMT", status: status), .status(200),
    ])
    try await rig.run { try await $0.send(.get("/x")) }
    #expect(rig.waits == ["3s", "4s"] && rig.elapsed == .seconds(7))
  }

  @Test(
    "RA-23: The field makes no status retryable, and the error tells of it",
    arguments: [501, 505, 404, 403, 400, 301])
  func finalStatuses(status: Int) async throws {
    for (value, asked) in [("1", Duration.seconds(1)), ("Mon, 01 Jun 2026 12:00:09 GMT", .seconds(9))] {
      let rig = bench([asking(value, status: status)])
      let error = await rig.failure(.get("/x"))
      guard case .status(status, _, let retryAfter, let call) = error else { return #expect(Bool(false)) }
      #expect(retryAfter == asked && call.attempts == 1 && rig.elapsed == .zero)
    }
  }

  @Test("RA-13: Asked for an hour in either form, a call waits a minute and its error tells the hour")
  func cap() async throws {
    for value in ["3600", "Mon, 01 Jun 2026 13:00:00 GMT"] {
      let rig = bench([asking(value)])
      let error = await rig.failure(.get("/x"))
      guard case .status(503, _, let retryAfter, let call) = error else { return #expect(Bool(false)) }
      #expect(retryAfter == .seconds(3_600) && call.attempts == 3)
      #expect(rig.waits == ["60s", "60s"] && rig.elapsed == .seconds(120))
    }
  }

  @Test("RA-25: Exhaustion is the same error with the field and without, and nothing is waited for after it")
  func exhaustion() async throws {
    let told = bench([asking("30")])
    #expect(await told.failure(.get("/x"))?.status == 503)
    #expect(told.waits == ["30s", "30s"] && told.elapsed == .seconds(60))
    let untold = bench([.status(502)])
    #expect(await untold.failure(.get("/x"))?.status == 502)
    #expect(untold.waits == ["0.2s", "0.4s"] && untold.elapsed == .milliseconds(600))
  }

  @Test("RA-26: The cap holds from one retry to the next")
  func capTwice() async throws {
    let rig = bench([asking("30"), asking("30"), .status(200)]) { $0.maxRetryAfter = .seconds(5) }
    try await rig.run { try await $0.send(.get("/x")) }
    #expect(rig.waits == ["5s", "5s"] && rig.transport.requests.count == 3)
  }

  @Test(
    "CK-07: A wall clock that stands still in another century changes no wait in seconds",
    arguments: [0.0, 4_300_000_000])
  func frozen(at time: TimeInterval) async throws {
    let rig = bench([asking("30"), .status(503), .status(200)]) {
      $0.wallClock = { Date(timeIntervalSince1970: time) }
    }
    try await rig.run { try await $0.send(.get("/x")) }
    #expect(rig.waits == ["30s", "0.4s"])
  }

  @Test("With jitter a draw of the schedule comes on top of the server's wait, and never takes from it")
  func jitter() async throws {
    var waits: Set<Duration> = []
    for _ in 0..<20 {
      let rig = bench([asking("Mon, 01 Jun 2026 12:00:30 GMT"), .status(200)]) { $0.retry.jitter = .full }
      try await rig.run { try await $0.send(.get("/x")) }
      #expect(rig.elapsed >= .seconds(30) && rig.elapsed <= .milliseconds(30_200))
      waits.insert(rig.elapsed)
    }
    #expect(waits.count > 10)
  }

  @Test("A date that would outlast the deadline is not waited for, and the rejection tells the wait")
  func deadline() async throws {
    let rig = bench([asking("Mon, 01 Jun 2026 12:00:30 GMT")]) { $0.timeout = .seconds(30) }
    let error = await rig.failure(.get("/x"))
    #expect(error?.rejection == Rejection(.deadlineExceeded, retryAfter: .seconds(30)))
    #expect(error?.attempts == 1 && rig.elapsed == .zero)
  }

  @Test("A redirect that asks to wait until a date is the answer, one whose date has passed is followed")
  func redirect() async throws {
    let rig = bench([
      .status(302, headers: ["Location": "/y", "Retry-After": "Mon, 01 Jun 2026 12:00:30 GMT"])
    ])
    guard case .status(302, _, .seconds(30), _) = await rig.failure(.get("/x")) else {
      return #expect(Bool(false))
    }
    rig.transport.on(
      .get("/x"),
      respond: [.status(302, headers: ["Location": "/y", "Retry-After": "Mon, 01 Jun 2026 11:00:00 GMT"])])
    rig.transport.on(.get("/y"), respond: [.status(200)])
    try await rig.run { try await $0.send(.get("/x")) }
  }
}
