import Stoic
import Testing

@Suite("Rate limiter, explored")
struct RateLimiterExplorationTests {
  // Both are Hashable, so a pair that was met is not continued again.
  private struct Scope: Explorable, Hashable {
    enum Event: Hashable {
      /// `late` is how long before the latest instant the caller has read the clock.
      case enter(late: Int, remaining: Int?)
      case takeAtOnce(late: Int)
      case settle(late: Int), giveBack(late: Int)
      case withdraw(UInt64), claim(UInt64)
      /// To an instant so far from that of the next token.
      case wait(Int)
    }

    var state: RateLimiterState<Int>
    var model: RateLimiterModel
    /// How many calls have a token and know it.
    var begun = 0
    var now = 0
    /// All who ever waited.
    var tickets: [UInt64] = []

    init(_ numbers: Case) {
      let configuration = RateLimiter.Configuration(
        calls: numbers.calls, per: .nanoseconds(numbers.per), burst: numbers.burst,
        queueLimit: numbers.queueLimit, maxWait: numbers.maxWait.map { .nanoseconds($0) })
      state = RateLimiterState(configuration)
      model = RateLimiterModel(
        calls: numbers.calls, per: numbers.per, burst: numbers.burst, queueLimit: numbers.queueLimit,
        maxWait: numbers.maxWait)
    }

    var events: [Event] {
      let asks: [Event] = [nil, 0, 3].map { .enter(late: 0, remaining: $0) }
      // A caller who has read the clock, and comes after others who have read it later.
      let late: [Event] =
        now > 0 ? [.enter(late: now, remaining: nil), .takeAtOnce(late: 1), .settle(late: now)] : []
      let given: [Event] =
        begun > 0 ? (now > 0 ? [0, now] : [0]).map { .giveBack(late: $0) } : []
      let (seconds, attoseconds) = model.due(after: 0).components
      let edge = Int(seconds * 1_000_000_000 + (attoseconds + 999_999_999) / 1_000_000_000)
      let waits = [-1, 0, 1].filter { edge + $0 > now }.map(Event.wait)
      return asks + [.takeAtOnce(late: 0), .settle(late: 0)] + late + given + waits
        + tickets.flatMap { [.withdraw($0), .claim($0)] }
    }

    var mark: Scope { self }

    mutating func apply(_ event: Event) -> String? {
      var woken: [Int] = []
      let expected: [Int]
      switch event {
      case .enter(let late, let remaining): return enter(late: late, remaining: remaining)
      case .takeAtOnce(let late):
        let isTaken = state.takeAtOnce(at: .nanoseconds(now - late))
        if isTaken { begun += 1 }
        return difference("whether a token is taken", isTaken, model.takeAtOnce(at: now - late))
      case .settle(let late):
        state.settle(at: .nanoseconds(now - late), &woken)
        expected = model.move(to: now - late)
      case .giveBack(let late):
        begun -= 1
        state.giveBack(at: .nanoseconds(now - late), &woken)
        expected = model.giveBack(at: now - late)
      case .withdraw(let ticket):
        state.withdraw(ticket)
        model.waiting.removeAll { $0.ticket == ticket }
        return nil
      case .claim(let ticket):
        let isHanded = model.handed.contains(ticket)
        if isHanded { begun += 1 }
        model.handed.removeAll { $0 == ticket }
        return difference("the claim", state.claim(ticket), isHanded)
      case .wait(let offset):
        let (seconds, attoseconds) = model.due(after: 0).components
        now = Int(seconds * 1_000_000_000 + (attoseconds + 999_999_999) / 1_000_000_000) + offset
        return nil
      }
      return difference("who is woken", woken, expected)
    }

    private mutating func enter(late: Int, remaining: Int?) -> String? {
      let name = 100 + tickets.count
      var isMade = false
      func make() -> Int {
        isMade = true
        return name
      }
      var woken: [Int] = []
      let left = remaining.map { Duration.nanoseconds($0) }
      let entry = state.enter(at: .nanoseconds(now - late), within: left, make(), &woken)
      let fault = difference("who is woken", woken, model.move(to: now - late))
      let answer = model.ask(at: now - late, within: remaining)
      let isQueued = if case .queued = entry { true } else { false }
      if let fault = fault ?? broken("a waiter is made only for who waits", unless: isMade == isQueued) {
        return fault
      }
      switch entry {
      case .granted:
        begun += 1
        return difference("the answer", .granted, answer)
      case .refused(let refusal, let wait):
        return difference("the answer", .refused(refusal, retryAfter: wait), answer)
      case .queued(let ticket, let waiter, let wait):
        let isNew = !tickets.contains(ticket)
        model.waiting.append(RateLimiterModel.Waiter(ticket: ticket, name: name))
        tickets.append(ticket)
        return difference("the answer", .queued(wait: wait), answer)
          ?? broken("a ticket is never used twice", unless: isNew && waiter == name)
      }
    }

    func checkInvariants() -> String? {
      var copy = state
      let available = copy.available(at: .zero)
      let next = model.waiting.isEmpty ? nil : model.due(after: 0)
      return difference("the number waiting", state.waiting, model.waiting.count)
        ?? difference("what is available", available, model.available)
        ?? difference("the next grant", state.nextTurn, next)
        ?? broken("the queue is bounded", unless: state.waiting <= model.queueLimit)
        ?? broken("the bucket is bounded", unless: (0...model.burst).contains(available))
        ?? broken("nobody waits while a token is free", unless: state.waiting == 0 || available == 0)
    }
  }

  struct Case: Sendable, CustomTestStringConvertible {
    var calls: Int
    var per: Int
    var burst: Int
    var queueLimit: Int
    var maxWait: Int?

    var testDescription: String {
      "\(calls) in \(per) ns, \(burst) at once, \(queueLimit) waiting"
        + (maxWait.map { " for at most \($0) ns" } ?? "")
    }
  }

  @Test(
    "Every sequence of ten events keeps a limiter's invariants and agrees with virtual scheduling",
    arguments: [
      Case(calls: 1, per: 4, burst: 1, queueLimit: 2),
      Case(calls: 2, per: 3, burst: 2, queueLimit: 2),
      Case(calls: 3, per: 4, burst: 2, queueLimit: 1, maxWait: 1),
      Case(calls: 3, per: 2, burst: 1, queueLimit: 2, maxWait: 1),
      Case(calls: 1, per: 5, burst: 2, queueLimit: 0),
    ])
  func exploration(numbers: Case) {
    let result = Exploration(of: Scope(numbers), depth: 10)
    #expect(result.fault == nil)
    #expect(result.steps > 1_900)
  }
}
