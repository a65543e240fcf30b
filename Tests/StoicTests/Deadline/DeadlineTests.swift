import Stoic
import StoicTesting
import Testing

@Suite("Deadline")
struct DeadlineTests {
  let clock = TestClock()

  @Test("A refusal tells when to try again where a time to come is known")
  func tellsWhen() {
    let told = "not retried: the retry budget is spent; try again after 2s"
    #expect("\(Rejection(.budgetExhausted, retryAfter: .seconds(2)))" == told)
    for none in [nil, Duration.zero, .seconds(-1)] {
      #expect("\(Rejection(.budgetExhausted, retryAfter: none))" == "not retried: the retry budget is spent")
    }
  }

  @Test("A body that ends in time gives its value, and no timer is left")
  func inTime() async throws {
    let value = try await withClock(clock) { try await withDeadline(.seconds(5)) { 42 } }
    #expect(value == 42)
    #expect(clock.sleepers.isEmpty)
  }

  @Test(
    "Expiry cancels the body and is reported as a rejection, in both nesting orders",
    arguments: [
      (Duration.seconds(5), Duration.seconds(50)), (.seconds(50), .seconds(5)), (.seconds(5), .seconds(5)),
    ])
  func nested(outer: Duration, inner: Duration) async throws {
    let call = Task { [clock] in
      try await withClock(clock) {
        try await withDeadline(outer) {
          try await withDeadline(inner) { try await Ambient.sleep(for: .seconds(1_000)) }
        }
      }
    }
    await clock.waitForSleepers(3)
    clock.advance(by: .milliseconds(4_999))
    #expect(clock.sleepers.count == 3)
    clock.advance(by: .milliseconds(1))
    await #expect(throws: Rejection(.deadlineExceeded)) { try await call.value }
    #expect(clock.now.offset == .seconds(5))
    #expect(clock.sleepers.isEmpty)
  }

  @Test("The body reads its deadline, the nearer one where there are two")
  func ambientDeadline() async throws {
    try await withClock(clock) {
      #expect(Ambient.deadline == nil)
      try await withDeadline(.seconds(9)) {
        let outer = try #require(Ambient.deadline)
        #expect(Ambient.clock.now.duration(to: outer) == .seconds(9))
        try await withDeadline(.seconds(20)) { #expect(Ambient.deadline == outer) }
        try await withDeadline(.seconds(2)) {
          #expect(Ambient.deadline == Ambient.clock.now.advanced(by: .seconds(2)))
        }
        try await withoutDeadline { #expect(Ambient.deadline == nil) }
      }
    }
  }

  @Test(
    "Where no time is left at the start, the body does not run",
    arguments: [
      Duration.zero, .nanoseconds(-1), .seconds(Int64.min), Duration(attoseconds: .min),
    ])
  func nothingLeft(duration: Duration) async throws {
    // On a clock that stands still, so that zero is exactly now.
    await #expect(throws: Rejection(.deadlineExceeded)) {
      try await withClock(clock) { try await withDeadline(duration) { Issue.record("the body ran") } }
    }
  }

  @Test(
    "A deadline of the largest duration means none",
    arguments: [
      Duration.seconds(Int64.max), Duration(attoseconds: .max),
    ])
  func noDeadline(duration: Duration) async throws {
    try await withClock(clock) {
      try await withDeadline(duration) { #expect(Ambient.deadline == nil) }
    }
  }

  @Test(
    "Inside a deadline that has passed no body is run, whatever time it asks for",
    arguments: [Duration.seconds(3_600), .seconds(Int64.max), .zero, .seconds(-20)])
  func insidePassed(duration: Duration) async throws {
    _ = try await withClock(clock) {
      await #expect(throws: Rejection(.deadlineExceeded)) {
        try await withDeadline(.seconds(1)) { [clock] in
          clock.advance(by: .seconds(2))
          await #expect(throws: CancellationError.self) {
            try await withDeadline(duration) { _ = Issue.record("ran") }
          }
          await #expect(throws: CancellationError.self) {
            try await withTimeout(duration) { _ = Issue.record("ran") }
          }
        }
      }
    }
  }

  @Test("A value that the body gives after expiry is discarded")
  func lateValue() async throws {
    let call = Task { [clock] in
      try await withClock(clock) {
        try await withDeadline(.seconds(1)) {
          try? await Ambient.sleep(for: .seconds(60))
          return "late"
        }
      }
    }
    await clock.waitForSleepers(2)
    clock.advance(by: .seconds(1))
    await #expect(throws: Rejection(.deadlineExceeded)) { try await call.value }
  }

  @Test("A value that comes at the very instant of the deadline is late")
  func valueAtTheDeadline() async throws {
    let call = Task { [clock] in
      try await withClock(clock) {
        try await withDeadline(.seconds(5)) { try await Ambient.sleep(for: .seconds(5)) }
      }
    }
    await clock.waitForSleepers(2)
    clock.advance(by: .seconds(5))
    await #expect(throws: Rejection(.deadlineExceeded)) { try await call.value }
  }

  @Test("The body's own error is rethrown as it is, before and after expiry")
  func ownError() async throws {
    struct Fault: Error {}
    await #expect(throws: Fault.self) { try await withDeadline(.seconds(5)) { throw Fault() } }
    let call = Task { [clock] in
      try await withClock(clock) {
        try await withDeadline(.seconds(5)) {
          try? await Ambient.sleep(for: .seconds(60))
          throw Fault()
        }
      }
    }
    await clock.waitForSleepers(2)
    clock.advance(by: .seconds(5))
    await #expect(throws: Fault.self) { try await call.value }
  }

  @Test("The caller's cancellation reaches the body, stays cancellation and takes the timer back")
  func callerCancelled() async throws {
    let call = Task { [clock] in
      try await withClock(clock) {
        try await withDeadline(.seconds(5)) { try await Ambient.sleep(for: .seconds(60)) }
      }
    }
    await clock.waitForSleepers(2)
    call.cancel()
    await #expect(throws: CancellationError.self) { try await call.value }
    #expect(clock.sleepers.isEmpty)
  }

  @Test("A caller who is cancelled already is cancelled inside as well, from the first line of the body")
  func cancelledBefore() async throws {
    let call = Task { [clock] in
      withUnsafeCurrentTask { $0?.cancel() }
      return try await withClock(clock) {
        try await withDeadline(.seconds(5)) {
          let isCancelled = Task.isCancelled
          return try await withDeadline(.seconds(9)) { isCancelled && Task.isCancelled }
        }
      }
    }
    #expect(try await call.value)
  }

  @Test("A body that never suspends sees that its time is over while it runs")
  func neverSuspends() async throws {
    let call = Task { [clock] in
      var seen: [Bool] = []
      let error = await #expect(throws: Rejection.self) {
        try await withClock(clock) {
          try await withDeadline(.seconds(2)) {
            for _ in 0..<2 {
              clock.advance(by: .seconds(1))
              seen.append(Task.isCancelled)
            }
          }
        }
      }
      #expect(error?.reason == .deadlineExceeded)
      return seen
    }
    #expect(await call.value == [false, true])
    #expect(clock.sleepers.isEmpty)
  }

  @Test("A body that never suspends sees that its caller is cancelled while it runs")
  func neverSuspendsCancelled() async throws {
    let caller = Lock<Task<[Bool], any Error>?>(nil)
    let call = Task { [clock] in
      while caller.withLock({ $0 == nil }) { await Task.yield() }
      return try await withClock(clock) {
        try await withDeadline(.seconds(2)) {
          let before = Task.isCancelled
          caller.withLock { $0 }?.cancel()
          return [before, Task.isCancelled]
        }
      }
    }
    caller.withLock { $0 = call }
    #expect(try await call.value == [false, true])
  }

  @Test("A timer that is kept for longer than its body, since it is just firing, keeps nothing of the body")
  func keptTimer() async throws {
    final class Witness: Sendable {}
    let hoarder = Hoarder()
    weak var made: Witness?
    do {
      let witness = try await withClock(hoarder) {
        try await withDeadline(.seconds(1)) { () -> Witness in
          let witness = Witness()
          await Task.yield()
          return witness
        }
      }
      made = witness
      #expect(made != nil)
    }
    #expect(made == nil)
    for fire in hoarder.actions.withLock({ $0 }) { fire() }
  }

  @Test("A caller who is cancelled before the deadline gets cancellation, however late the body leaves")
  func cancelledThenLate() async throws {
    let call = Task { [clock] in
      try await withClock(clock) {
        try await withDeadline(.seconds(5)) {
          try? await Ambient.sleep(for: .seconds(60))
          try await withoutDeadline { clock.advance(by: .seconds(9)) }
          throw CancellationError()
        }
      }
    }
    await clock.waitForSleepers(2)
    call.cancel()
    await #expect(throws: CancellationError.self) { try await call.value }
  }

  @Test("A cancelled caller gets cancellation where somebody inside refuses for want of time")
  func cancelledThenRefused() async throws {
    let call = Task { [clock] in
      withUnsafeCurrentTask { $0?.cancel() }
      try await withClock(clock) {
        try await withDeadline(.seconds(5)) { throw Rejection(.deadlineExceeded) }
      }
    }
    await #expect(throws: CancellationError.self) { try await call.value }
  }

  @Test("A refusal inside a deadline further out that has passed stays a refusal")
  func outerHasPassed() async throws {
    let call = Task { [clock] in
      var seen: (any Error)?
      _ = try? await withClock(clock) {
        try await withDeadline(.seconds(5)) {
          do {
            try await withDeadline(.seconds(50)) {
              try? await Ambient.sleep(for: .seconds(60))
              throw Rejection(.deadlineExceeded)
            }
          } catch { seen = error }
        }
      }
      return seen as? Rejection
    }
    await clock.waitForSleepers(3)
    clock.advance(by: .seconds(5))
    #expect(await call.value == Rejection(.deadlineExceeded))
  }

  @Test("A deadline keeps the time it has left on another clock")
  func acrossClocks() async throws {
    let other = TestClock()
    other.advance(by: .seconds(500))
    try await withClock(clock) {
      try await withDeadline(.seconds(10)) {
        clock.advance(by: .seconds(4))
        try await withClock(other) {
          let deadline = try #require(Ambient.deadline)
          #expect(Ambient.clock.now.duration(to: deadline) == .seconds(6))
        }
      }
    }
  }

  @Test("The body runs on the caller's actor and may use what is not Sendable")
  func isolation() async throws {
    let counter = Counter()
    try await counter.count(on: clock)
    #expect(await counter.counted == 2)
    try await Self.onMain(clock)
  }

  @MainActor private static func onMain(_ clock: TestClock) async throws {
    let box = Box()
    try await withClock(clock) {
      try await withDeadline(.seconds(5)) {
        MainActor.assertIsolated()
        await Task.yield()
        MainActor.assertIsolated()
        box.value += 1
      }
    }
    #expect(box.value == 1)
  }
}

/// Not Sendable on purpose.
private final class Box {
  var value = 0
}

private actor Counter {
  private(set) var counted = 0

  func count(on clock: TestClock) async throws {
    let box = Box()
    try await withClock(clock) {
      try await withDeadline(.seconds(5)) {
        box.value += 1
        counted += box.value
        await Task.yield()
        counted += box.value
      }
    }
  }
}

/// A clock at zero that never lets go of what its timers do.
private final class Hoarder: TimerClock {
  let actions = Lock<[@Sendable () -> Void]>([])
  let elapsed = Swift.Duration.zero
  let now = TestClock.Instant()
  let minimumResolution = Swift.Duration.nanoseconds(1)

  func sleep(until deadline: TestClock.Instant, tolerance: Swift.Duration?) async throws {}

  func addTimer(at offset: Swift.Duration, _ fire: @escaping @Sendable () -> Void) -> Int {
    actions.withLock { actions in
      actions.append(fire)
      return actions.count
    }
  }

  func removeTimer(_ id: Int) {}
}
