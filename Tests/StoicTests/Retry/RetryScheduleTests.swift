import Stoic
import Testing

@Suite("Retry schedule")
struct RetryScheduleTests {
  static let extremes = [
    Duration.zero, .seconds(-1), .nanoseconds(1), .seconds(Int64.max), .seconds(Int64.min),
    Duration(attoseconds: .max), Duration(attoseconds: .min),
  ]

  @Test("Waits double from the base to the cap, exactly")
  func doubling() {
    let schedule = RetrySchedule(base: .milliseconds(200), cap: .seconds(10))
    let waits = (0..<8).map { schedule.nominalWait(afterRetries: $0) }
    #expect(
      waits == [
        .milliseconds(200), .milliseconds(400), .milliseconds(800), .milliseconds(1_600),
        .milliseconds(3_200),
        .milliseconds(6_400), .seconds(10), .seconds(10),
      ])
  }

  @Test(
    "Any number of retries stays at the cap, without overflow",
    arguments: [
      6, 10, 38, 62, 63, 64, 100, 1_023, 1_024, 10_000, .max,
    ])
  func manyRetries(retries: Int) {
    let schedule = RetrySchedule(base: .milliseconds(200), cap: .seconds(10))
    #expect(schedule.nominalWait(afterRetries: retries) == .seconds(10))
  }

  @Test("A negative number of retries counts as none", arguments: [-1, .min])
  func negativeRetries(retries: Int) {
    #expect(RetrySchedule().nominalWait(afterRetries: retries) == .milliseconds(200))
  }

  @Test(
    "Any multiplier, base and cap give waits from zero to the cap, and never fewer with more retries",
    arguments: [
      0, -1, 0.5, 1, 1.000_001, 1.5, 2, 3, 1e300, .infinity, -.infinity, .nan, .greatestFiniteMagnitude,
    ])
  func hostileConfiguration(multiplier: Double) {
    for base in Self.extremes {
      for cap in Self.extremes {
        for jitter in [RetrySchedule.Jitter.none, .full, .equal] {
          let schedule = RetrySchedule(
            maxAttempts: .min, base: base, cap: cap, multiplier: multiplier, jitter: jitter)
          #expect(schedule.maxAttempts == 1)
          var last = Duration.zero
          for retries in [0, 1, 2, 7, 1_000, Int.max] {
            let nominal = schedule.nominalWait(afterRetries: retries)
            #expect(nominal >= last && nominal <= schedule.cap)
            last = nominal
            for source in [RandomSource.system, .init { 0 }, .init { .max }] {
              let wait = schedule.wait(afterRetries: retries, random: source)
              #expect(wait >= .zero && wait <= nominal)
            }
          }
        }
      }
    }
  }

  @Test("Fields set later are brought in range as well")
  func laterChanges() {
    var schedule = RetrySchedule()
    schedule.maxAttempts = -5
    schedule.base = .seconds(-1)
    schedule.cap = .seconds(-1)
    schedule.multiplier = .nan
    #expect(schedule == RetrySchedule(maxAttempts: 1, base: .zero, cap: .zero, multiplier: 2))
  }

  @Test("Full jitter spans from nothing to the nominal wait, equal jitter its upper half")
  func jitterBounds() {
    func waits(_ jitter: RetrySchedule.Jitter) -> (low: Duration, high: Duration) {
      let schedule = RetrySchedule(base: .seconds(4), cap: .seconds(4), jitter: jitter)
      return (
        schedule.wait(afterRetries: 0, random: .init { 0 }),
        schedule.wait(afterRetries: 0, random: .init { .max })
      )
    }
    #expect(waits(.none) == (.seconds(4), .seconds(4)))
    #expect(waits(.full).low == .zero)
    #expect(waits(.full).high > .milliseconds(3_999))
    #expect(waits(.equal).low == .seconds(2))
    #expect(waits(.equal).high > .milliseconds(3_999) && waits(.equal).high <= .seconds(4))
  }

  @Test("At the cap waits still differ between clients")
  func jitterAtTheCap() {
    let schedule = RetrySchedule(maxAttempts: 30)
    let waits = (UInt64(0)..<100).map { schedule.wait(afterRetries: 19, random: .seeded($0)) }
    #expect(Set(waits).count >= 50)
    #expect(waits.allSatisfy { $0 <= .seconds(10) })
  }

  @Test("A wait depends on its own draw alone, not on those before")
  func independentDraws() {
    let schedule = RetrySchedule(base: .milliseconds(100), cap: .seconds(10))
    let high = RandomSource { .max }
    for retries in 0..<6 {
      #expect(
        schedule.wait(afterRetries: retries, random: high) <= schedule.nominalWait(afterRetries: retries))
    }
  }
}
