import Stoic
import StoicHTTP
import Testing

@Suite("What is known of quotas")
struct QuotaStateTests {
  typealias Entry = QuotaReport.Entry

  /// Sends a request; nil where it has to wait.
  private static func send(_ state: inout QuotaState, at now: Duration) -> QuotaState.Ticket? {
    guard state.admit(at: now) == .granted else { return nil }
    return state.start()
  }

  @Test("Nothing is held up before a server says anything, nor by what has a request left")
  func open() throws {
    var state = QuotaState(maxWait: .seconds(60))
    for _ in 0..<100 { #expect(Self.send(&state, at: .zero) != nil) }
    let last = try #require(Self.send(&state, at: .zero))
    state.report([Entry("a", remaining: 2, reset: .seconds(9))], of: last, at: .zero)
    #expect(Self.send(&state, at: .zero) != nil && Self.send(&state, at: .zero) != nil)
    #expect(state.admit(at: .seconds(1)) == .wait(until: .seconds(9)))
    #expect(Self.send(&state, at: .seconds(9)) != nil)
  }

  @Test(
    "Where a server is believed for no time, or no time passes any more, nobody waits, however many are let through and not sent",
    arguments: [(Duration.zero, Duration.zero), (.seconds(60), .longest)])
  func noTime(maxWait: Duration, now: Duration) throws {
    var state = QuotaState(maxWait: maxWait)
    let first = try #require(Self.send(&state, at: now))
    for _ in 0..<3 { #expect(state.admit(at: now) == .granted) }
    state.report([Entry("a", remaining: 0, reset: .seconds(9))], of: first, at: now)
    for _ in 0..<3 { #expect(state.admit(at: now) == .granted) }
    state.giveBack()
    #expect(state.admit(at: now) == .granted)
  }

  @Test("What was sent after the request that tells is taken off; what an older one tells is out of date")
  func order() throws {
    var state = QuotaState(maxWait: .seconds(60))
    let first = try #require(Self.send(&state, at: .zero))
    let second = try #require(Self.send(&state, at: .zero))
    let third = try #require(Self.send(&state, at: .zero))
    state.report([Entry("a", remaining: 2, reset: .seconds(9))], of: second, at: .zero)
    #expect(Self.send(&state, at: .zero) != nil)
    #expect(Self.send(&state, at: .zero) == nil)
    state.report([Entry("a", remaining: 99, reset: .seconds(9))], of: first, at: .zero)
    #expect(Self.send(&state, at: .zero) == nil)
    state.report([Entry("a", remaining: 2, reset: .seconds(9))], of: third, at: .zero)
    #expect(Self.send(&state, at: .zero) != nil)
  }

  @Test(
    "Where only requests that the server may have counted make a quota used up, one asks again once all have ended"
  )
  func doubtful() throws {
    let entry = Entry("a", remaining: 3, reset: .seconds(50))
    for isFirst in [false, true] {
      var state = QuotaState(maxWait: .seconds(60))
      let slow = try #require(Self.send(&state, at: .zero))
      for _ in 0..<5 { #expect(Self.send(&state, at: .zero) != nil) }
      // What is told before those that say nothing are over, or after them.
      if isFirst { state.report([entry], of: slow, at: .zero) }
      for _ in 0..<5 { state.end() }
      if !isFirst { state.report([entry], of: slow, at: .zero) }
      #expect(state.admit(at: .zero) == .wait(until: .seconds(50)))
      state.end()
      let asking = try #require(Self.send(&state, at: .zero))
      #expect(state.admit(at: .zero) == .wait(until: .seconds(50)))
      state.report([Entry("a", remaining: 2, reset: .seconds(50))], of: asking, at: .zero)
      state.end()
      // What it has told is what is left, and what is used up then is.
      for _ in 0..<2 {
        #expect(Self.send(&state, at: .zero) != nil)
        state.end()
      }
      #expect(state.admit(at: .zero) == .wait(until: .seconds(50)))
    }
  }

  @Test("The next window of a quota whose numbers are known has as many again, of another nothing is known")
  func windows() throws {
    var state = QuotaState(maxWait: .seconds(60))
    let ticket = try #require(Self.send(&state, at: .zero))
    state.report(
      [Entry("a", remaining: 0, reset: .seconds(9), limit: 2, window: .seconds(10))], of: ticket, at: .zero)
    for start in [9, 19, 30] {
      #expect(Self.send(&state, at: .seconds(start)) != nil && Self.send(&state, at: .seconds(start)) != nil)
      #expect(state.admit(at: .seconds(start)) == .wait(until: .seconds(start + 10)))
    }
    let last = try #require(Self.send(&state, at: .seconds(50)))
    state.report([Entry("b", remaining: 0, reset: .seconds(1))], of: last, at: .seconds(50))
    #expect(state.admit(at: .seconds(50)) == .wait(until: .seconds(51)))
    for _ in 0..<2 { #expect(Self.send(&state, at: .seconds(60)) != nil) }
  }

  @Test("Of several quotas the longest wait counts")
  func several() throws {
    var state = QuotaState(maxWait: .seconds(60))
    let ticket = try #require(Self.send(&state, at: .zero))
    let entries = [("a", 0, 9), ("b", 0, 20), ("c", 5, 40)].map { name, remaining, reset in
      Entry(name, remaining: remaining, reset: .seconds(reset))
    }
    state.report(entries, of: ticket, at: .zero)
    #expect(state.admit(at: .zero) == .wait(until: .seconds(20)))
  }

  @Test("A server is believed for the longest wait only; then one request asks again, and no second one")
  func cut() throws {
    var state = QuotaState(maxWait: .seconds(60))
    let ticket = try #require(Self.send(&state, at: .zero))
    let month = Entry(
      "a", remaining: 0, reset: .seconds(2_592_000), limit: 1_000, window: .seconds(2_592_000))
    state.report([month], of: ticket, at: .zero)
    #expect(state.admit(at: .zero) == .wait(until: .seconds(60)))
    let probe = try #require(Self.send(&state, at: .seconds(60)))
    #expect(state.admit(at: .seconds(60)) == .wait(until: .seconds(120)))
    state.report([Entry("a", remaining: 3, reset: .seconds(10))], of: probe, at: .seconds(61))
    for _ in 0..<3 { #expect(Self.send(&state, at: .seconds(61)) != nil) }
    #expect(state.admit(at: .seconds(61)) == .wait(until: .seconds(71)))
  }

  @Test("A quota that has some left keeps them beyond the time for which its server is believed")
  func keeps() throws {
    var state = QuotaState(maxWait: .seconds(60))
    let ticket = try #require(Self.send(&state, at: .zero))
    state.report([Entry("a", remaining: 500, reset: .seconds(3_600))], of: ticket, at: .zero)
    for _ in 0..<400 { #expect(Self.send(&state, at: .seconds(61)) != nil) }
    for _ in 0..<100 { #expect(Self.send(&state, at: .seconds(3_599)) != nil) }
    #expect(state.admit(at: .seconds(3_599)) == .wait(until: .seconds(3_600)))
    #expect(Self.send(&state, at: .seconds(3_600)) != nil)
  }

  @Test("After a window's renewal, a long one keeps what it has left too")
  func keepsRenewed() throws {
    var state = QuotaState(maxWait: .seconds(60))
    let ticket = try #require(Self.send(&state, at: .zero))
    state.report(
      [Entry("a", remaining: 0, reset: .seconds(50), limit: 300, window: .seconds(3_600))], of: ticket,
      at: .zero)
    for instant in [50, 111, 172] {
      for _ in 0..<100 { #expect(Self.send(&state, at: .seconds(instant)) != nil) }
    }
    #expect(Self.send(&state, at: .seconds(172)) == nil)
  }

  @Test(
    "A quota that is asked for again and not told any more is forgotten, and so is one whose end has come")
  func forgotten() throws {
    for isTold in [true, false] {
      var state = QuotaState(maxWait: .seconds(60))
      let ticket = try #require(Self.send(&state, at: .zero))
      let long = Entry("long", remaining: 0, reset: .seconds(50_000))
      state.report([long], of: ticket, at: .zero)
      // An answer to what was sent before is none to the one that asks.
      state.report([], of: ticket, at: .seconds(1))
      #expect(state.admit(at: .seconds(1)) == .wait(until: .seconds(60)))
      let asking = try #require(Self.send(&state, at: .seconds(60)))
      let other = Entry("other", remaining: 9, reset: .seconds(60))
      state.report(isTold ? [long, other] : [other], of: asking, at: .seconds(61))
      #expect((Self.send(&state, at: .seconds(61)) != nil) == !isTold)
      for _ in 0..<2 { #expect(Self.send(&state, at: .seconds(50_061)) != nil) }
    }
  }

  @Test("A request that is not sent is given back, and was never one that the server may not have counted")
  func giveBack() throws {
    var state = QuotaState(maxWait: .seconds(60))
    let first = try #require(Self.send(&state, at: .zero))
    for _ in 0..<228 { #expect(state.admit(at: .zero) == .granted) }
    for _ in 0..<200 { state.giveBack() }
    // Of the thirty that are left by this, 28 are reserved.
    state.report([Entry("a", remaining: 30, reset: .seconds(9))], of: first, at: .zero)
    #expect(Self.send(&state, at: .zero) != nil && Self.send(&state, at: .zero) != nil)
    #expect(state.admit(at: .zero) == .wait(until: .seconds(9)))
    state.giveBack()
    #expect(state.admit(at: .zero) == .granted)
    #expect(state.admit(at: .zero) == .wait(until: .seconds(9)))
  }

  @Test("What is reserved over a window's end is one of the next window's, sent or given back")
  func acrossWindows() throws {
    for isSent in [true, false] {
      var state = QuotaState(maxWait: .seconds(60))
      let first = try #require(Self.send(&state, at: .zero))
      let entry = Entry("a", remaining: 3, reset: .seconds(9), limit: 3, window: .seconds(10))
      state.report([entry], of: first, at: .zero)
      #expect(state.admit(at: .zero) == .granted)
      if isSent { _ = state.start() }
      var count = 0
      while Self.send(&state, at: .seconds(9)) != nil { count += 1 }
      #expect(count == (isSent ? 3 : 2))
      if !isSent {
        state.giveBack()
        #expect(Self.send(&state, at: .seconds(9)) != nil)
      }
      #expect(Self.send(&state, at: .seconds(9)) == nil)
    }
  }

  @Test("Of several responses to one request, as redirects give, the last one counts")
  func redirected() throws {
    var state = QuotaState(maxWait: .seconds(60))
    let ticket = try #require(Self.send(&state, at: .zero))
    state.report([Entry("a", remaining: 1, reset: .seconds(9))], of: ticket, at: .zero)
    state.report([Entry("a", remaining: 0, reset: .seconds(9))], of: ticket, at: .zero)
    #expect(Self.send(&state, at: .zero) == nil)
  }

  @Test("A quota without a time, or of names without end, holds nothing up for ever and takes no more room")
  func hostile() throws {
    var state = QuotaState(maxWait: .seconds(60))
    for number in 0..<1_000 {
      let ticket = try #require(Self.send(&state, at: .seconds(number * 100)))
      let name = "\(number)"
      state.report(
        [
          Entry("timeless", remaining: 0), Entry("over", remaining: 0, reset: .zero),
          Entry(name, remaining: 0, reset: .longest, limit: 0, window: .longest),
          Entry("n", remaining: -1, reset: .seconds(1)),
        ], of: ticket, at: .seconds(number * 100))
    }
    #expect("\(state)".count < 5_000)
    #expect(Self.send(&state, at: .longest) != nil)
  }
}
