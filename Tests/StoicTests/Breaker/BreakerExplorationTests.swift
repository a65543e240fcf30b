import Stoic
import Testing

@Suite("Circuit breaker, explored")
struct BreakerExplorationTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var probes: Int
    var successesToClose: Int
    var lastCalls: Int?

    var testDescription: String {
      let counted = lastCalls.map { "the last \($0)" } ?? "all calls"
      return "\(probes) at once, \(successesToClose) to close, of \(counted)"
    }
  }

  static let cases = [(1, 1), (1, 2), (2, 1), (2, 2)].flatMap { probes, successes in
    [nil, 2].map { Case(probes: probes, successesToClose: successes, lastCalls: $0) }
  }

  // Eight events from the start seldom end two probes: what the probes' numbers change is seen further down.
  @Test(
    "Every sequence of eight events keeps a breaker's invariants and agrees with lists and ifs",
    arguments: [cases[0], cases[3], cases[5], cases[6]])
  func exploration(numbers: Case) {
    let result = Exploration(of: BreakerScope(numbers), depth: 8)
    #expect(result.fault == nil)
    #expect(result.steps > 25_000)
  }

  @Test(
    "Every sequence of seven events after a breaker has opened agrees with lists and ifs",
    arguments: cases)
  func opened(numbers: Case) {
    var start = BreakerScope(numbers)
    for event in Self.opening { #expect(start.apply(event) == nil) }
    let result = Exploration(of: start, depth: 7)
    #expect(result.fault == nil)
    #expect(result.steps > 20_000)
  }

  @Test(
    "Every sequence of seven events after a probe has failed agrees with lists and ifs",
    arguments: [cases[0], cases[5]])
  func reopened(numbers: Case) {
    var start = BreakerScope(numbers)
    let failing: [BreakerScope.Event] = [
      .wait(0), .admit(begins: true, late: 0), .record(0, .failure, late: 0),
    ]
    for event in Self.opening + failing { #expect(start.apply(event) == nil) }
    let result = Exploration(of: start, depth: 7)
    #expect(result.fault == nil)
    #expect(result.steps > 20_000)
  }

  private static let opening: [BreakerScope.Event] = [
    .admit(begins: true, late: 0), .admit(begins: true, late: 0), .record(0, .failure, late: 0),
    .record(0, .failure, late: 0),
  ]
}

/// A breaker, its model, and the permits of both that are out.
struct BreakerScope: Explorable, Hashable {
  enum Result: Hashable { case success, failure, slowSuccess, nothing }

  /// `late` is how long before the latest instant the caller has read the clock.
  enum Event: Hashable {
    case admit(begins: Bool, late: Int)
    case begin(Int, late: Int)
    case record(Int, Result, late: Int)
    case force(CircuitBreaker.Forced?)
    /// To an instant so far from the next one at which something happens by itself.
    case wait(Int)
  }

  struct Held: Hashable {
    var permit: CircuitBreakerState.Permit
    var model: BreakerModel.Permit
  }

  var state: CircuitBreakerState
  var model: BreakerModel
  var held: [Held] = []
  var now = 0

  init(_ numbers: BreakerExplorationTests.Case) {
    let configuration = CircuitBreaker.Configuration(
      failureRatio: 0.5, minimumCalls: 2, window: .nanoseconds(BreakerModel.window),
      lastCalls: numbers.lastCalls, slowCallDuration: .nanoseconds(BreakerModel.slowFrom), slowCallRatio: 1,
      openFor: .nanoseconds(10), maxOpenFor: .nanoseconds(25), growth: 2, openJitter: 0,
      probes: numbers.probes, successesToClose: numbers.successesToClose,
      probeTimeout: .nanoseconds(BreakerModel.probeTimeout))
    state = CircuitBreakerState(configuration, seed: 1)
    model = BreakerModel(
      probeLimit: numbers.probes, successesToClose: numbers.successesToClose, lastCalls: numbers.lastCalls)
  }

  var events: [Event] {
    var events: [Event] = [.force(.open), .force(.closed), .force(nil)]
    let lates = now > 0 ? [0, 1, now] : [0]
    events += lates.map { .admit(begins: true, late: $0) } + [.admit(begins: false, late: 0)]
    for (index, permit) in held.enumerated() where !held[..<index].contains(permit) {
      if permit.model.hasBegun {
        events += lates.flatMap { late in [.success, .failure].map { .record(index, $0, late: late) } }
        events += [.slowSuccess, .nothing].map { .record(index, $0, late: 0) }
      } else {
        // What has not begun can only be called off.
        events += lates.map { .begin(index, late: $0) } + [.record(index, .nothing, late: 0)]
      }
    }
    if let edge = model.edge { events += [-1, 0, 1].filter { edge + $0 > now }.map(Event.wait) }
    return events
  }

  // Both are Hashable, so a pair that was met is not continued again.
  var mark: BreakerScope { self }

  /// Of the model alone: equal pairs have equal models, and hashing both takes twice as long.
  func hash(into hasher: inout Hasher) {
    hasher.combine(model)
    hasher.combine(now)
    hasher.combine(held.count)
  }

  mutating func apply(_ event: Event) -> String? {
    var changes: [CircuitBreakerState.Change] = []
    model.changes = []
    var fault: String?
    switch event {
    case .admit(let begins, let late):
      let admission = state.admit(at: .nanoseconds(now - late), begins: begins, &changes)
      fault = take(admission, model.admit(at: now - late, begins: begins))
    case .begin(let index, let late):
      let old = held.remove(at: index)
      let admission = state.begin(old.permit, at: .nanoseconds(now - late), &changes)
      let answer = model.begin(old.model, at: now - late)
      fault = take(admission, answer)
    case .record(let index, let result, let late):
      let old = held.remove(at: index)
      let outcome: CircuitBreaker.Outcome? =
        switch result {
        case .success, .slowSuccess: .success
        case .failure: .failure
        case .nothing: nil
        }
      let took = result == .slowSuccess ? BreakerModel.slowFrom : BreakerModel.slowFrom - 1
      state.record(old.permit, outcome, took: .nanoseconds(took), at: .nanoseconds(now - late), &changes)
      model.record(old.model, outcome, took: took, at: now - late)
    case .force(let forced):
      state.force(forced)
      model.force(forced)
    case .wait(let offset):
      if let edge = model.edge { now = edge + offset }
    }
    fault = fault ?? difference("what changed", changes, model.changes)
    model.changes = []
    return fault
  }

  private mutating func take(
    _ admission: CircuitBreakerState.Admission, _ answer: BreakerModel.Answer
  ) -> String? {
    switch (admission, answer) {
    case (.permit(let permit), .permit(let expected)):
      // A third permit is lost, as that of a probe that never ends.
      if held.count < 2 { held.append(Held(permit: permit, model: expected)) }
      return difference("whether it is a probe", permit.isProbe, expected.probe != nil)
    case (.refused(let wait), .refused(let expected)):
      return difference("the wait", wait, expected.map { .nanoseconds($0) })
    default: return "the admission is \(admission), by the model \(answer)"
    }
  }

  func checkInvariants() -> String? {
    var expected = CallTally.zero
    (expected.calls, expected.failures, expected.slow) = (model.calls.count, model.failures, model.slowCalls)
    let isCounting = state.phase == .closed
    let isProbing = state.phase == .halfOpen
    let tally = state.tally
    return difference("the phase", state.phase, model.phase.phase)
      ?? difference("the phase now", state.phase(at: .nanoseconds(now)), model.reading(at: now).phase)
      ?? difference("the tally", tally, expected)
      ?? difference("the dropped results", state.dropped, model.dropped)
      ?? difference("the probes", state.probesInFlight, model.probes.count)
      ?? broken("only a closed breaker counts", unless: isCounting || tally == .zero)
      ?? broken("only a half-open breaker probes", unless: isProbing || state.probesInFlight == 0)
      ?? broken("probes are bounded", unless: state.probesInFlight <= model.probeLimit)
      ?? broken("calls are bounded", unless: tally.calls <= model.lastCalls ?? .max)
  }
}

extension BreakerModel.Phase {
  fileprivate var phase: CircuitBreakerState.Phase {
    switch self {
    case .closed: .closed
    case .halfOpen: .halfOpen
    case .forcedOpen: .forcedOpen
    case .forcedClosed: .forcedClosed
    case .open(let until): .open(until: .nanoseconds(until))
    }
  }
}
