import Stoic
import Testing

@Suite("Retry state, explored")
struct RetryStateExplorationTests {
  private struct Scope: Explorable {
    /// The time that a failure leaves or demands, measured from the wait that the documentation gives.
    enum Bound: CaseIterable {
      case none, deadlineAtEnd, deadlineAfterEnd, refusedToEnd, refusedPastEnd, noTime
    }

    enum Event {
      case next(RetryAdvice, Bound)
      case advance
    }

    let jitter: RetrySchedule.Jitter
    let isNested: Bool
    let nesting: RetrySchedule.Nesting
    var state: RetryState
    var attempt = 1
    /// The schedule's part of the last wait, in nanoseconds.
    var last: Int?

    init(jitter: RetrySchedule.Jitter, isNested: Bool, nesting: RetrySchedule.Nesting) {
      self.jitter = jitter
      self.isNested = isNested
      self.nesting = nesting
      let schedule = RetrySchedule(
        maxAttempts: 6, base: .nanoseconds(8), cap: .nanoseconds(48), multiplier: 2, jitter: jitter,
        nesting: nesting)
      state = RetryState(schedule, isNested: isNested)
    }

    var events: [Event] {
      let advices: [RetryAdvice] = [
        .retry, .retryAfter(.nanoseconds(1)), .retryAfter(.nanoseconds(100)),
        .retryAfter(.nanoseconds(-5)), .final,
      ]
      return [.advance] + advices.flatMap { advice in Bound.allCases.map { .next(advice, $0) } }
    }

    // The state is not `Hashable`; the picture shows every field of it and of the model.
    var mark: String { picture(of: self) }

    /// A source that draws one half.
    private static let half = RandomSource { 1 << 63 }

    /// The wait of the schedule with a draw of one half.
    private var scheduled: Int {
      let nominal = [8, 16, 32, 48, 48, 48, 48, 48, 48][attempt - 1]
      switch jitter {
      case .full: return nominal / 2
      case .equal: return nominal * 3 / 4
      case .decorrelated: return 8 + (min(48, 3 * (last ?? 8)) - 8) / 2
      default: return nominal
      }
    }

    mutating func apply(_ event: Event) -> String? {
      switch event {
      case .advance:
        state.advance()
        attempt += 1
        return nil
      case .next(let advice, let bound): return next(advice, bound)
      }
    }

    private mutating func next(_ advice: RetryAdvice, _ bound: Bound) -> String? {
      var wait = scheduled
      if case .retryAfter(let asked) = advice {
        let asked = Int(asked.attoseconds / 1_000_000_000)
        wait = jitter == .none ? max(wait, asked) : wait + max(0, asked)
      }
      var remaining: Int?
      var refused = 0
      switch bound {
      case .none: break
      case .deadlineAtEnd: remaining = wait
      case .deadlineAfterEnd: remaining = wait + 1
      case .refusedToEnd: refused = wait
      case .refusedPastEnd: refused = wait + 1
      case .noTime: remaining = -1
      }
      let most = isNested && nesting == .singleAttempt ? 1 : 6
      let expected: RetryState.Step
      if advice == .final {
        expected = .stop(.final)
      } else if attempt >= most {
        expected = .stop(.exhausted)
      } else if let remaining, wait >= remaining {
        expected = .stop(.deadline)
      } else if wait < refused {
        expected = .stop(.refused(for: .nanoseconds(refused)))
      } else {
        expected = .wait(.nanoseconds(wait))
        last = scheduled
      }
      let step = state.next(
        after: advice, remaining: remaining.map { .nanoseconds($0) }, refusedFor: .nanoseconds(refused),
        random: Self.half)
      return difference("what follows", step, expected)
    }

    func checkInvariants() -> String? {
      difference("the attempt", state.attempt, attempt)
    }
  }

  @Test(
    "Every sequence of eight events makes a retry wait and stop as a table of waits says",
    arguments: [RetrySchedule.Jitter.none, .full, .equal, .decorrelated])
  func exploration(jitter: RetrySchedule.Jitter) {
    let result = Exploration(of: Scope(jitter: jitter, isNested: false, nesting: .singleAttempt), depth: 8)
    #expect(result.fault == nil)
    #expect(result.steps > 300)
  }

  @Test(
    "Every sequence of eight events makes a nested retry stop at once, unless it is independent",
    arguments: [RetrySchedule.Nesting.singleAttempt, .independent])
  func nested(nesting: RetrySchedule.Nesting) {
    let result = Exploration(of: Scope(jitter: .none, isNested: true, nesting: nesting), depth: 8)
    #expect(result.fault == nil)
    #expect(result.steps > 200)
  }
}
