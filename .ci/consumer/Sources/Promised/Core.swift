import Stoic
import StoicTesting

package func waits(until instant: AmbientClock.Instant) async throws {
  let now: AmbientClock.Instant = Ambient.clock.now
  let deadline: AmbientClock.Instant? = Ambient.deadline
  use(now, deadline)
  try await Ambient.sleep(for: .seconds(1))
  try await Ambient.sleep(until: instant)
}

package func bounds(clock: some Clock<Duration>, sink: some EventSink) async throws -> Int {
  try await withClock(clock) {
    try await withEvents(sink) {
      try await withDeadline(.seconds(5)) {
        try await withoutDeadline { 42 }
      }
    }
  }
}

package func repeats<Value>(_ body: () async throws -> Value) async throws -> [Value] {
  let schedule = RetrySchedule(maxAttempts: 3, base: .milliseconds(200), cap: .seconds(10), jitter: .full)
  let first = try await retry(schedule) { attempt in
    use(attempt.number)
    return try await body()
  }
  let second = try await schedule.run { _ in try await body() }
  return [first, second]
}

package func names(_ rejection: Rejection) -> String {
  let error: any Error = rejection
  let retryAfter: Duration? = rejection.retryAfter
  use(error, retryAfter)
  switch rejection.reason {
  case .breakerOpen, .bulkheadFull, .budgetExhausted, .deadlineExceeded, .rateLimited:
    return rejection.reason.rawValue
  case .throttled: return "throttled"
  @unknown default: return ""
  }
}

package func records() async throws {
  let clock = TestClock()
  let events = EventRecorder()
  try await withClock(clock) { try await withEvents(events) { clock.advance(by: .seconds(1)) } }
  await clock.waitForSleepers(0)
  let recorded: [Event] = events.events
  for event in recorded {
    use(event.name, event.level, event.label, event["status"])
    for field in event.fields {
      let (key, value, isPrivate): (String, String, Bool) = (field.key, field.value, field.isPrivate)
      use(key, value, isPrivate)
    }
  }
}
