import Stoic
import StoicTesting
import Testing

@Suite("Backoff")
struct BackoffTests {
  private func waits(_ schedule: RetrySchedule, _ count: Int = 5) -> [Duration] {
    (0..<count).map { schedule.nominalWait(afterRetries: $0) }
  }

  @Test("RetrySchedule: linear waits grow by a step, constant ones stay, listed ones are taken as they are")
  func shapes() {
    #expect(
      waits(.linear(.seconds(2), cap: .seconds(7)))
        == [.seconds(2), .seconds(4), .seconds(6), .seconds(7), .seconds(7)])
    #expect(waits(.constant(.seconds(30), maxAttempts: 9)) == Array(repeating: .seconds(30), count: 5))
    let list = RetrySchedule.list([.seconds(1), .seconds(5), .seconds(2)])
    #expect(waits(list) == [.seconds(1), .seconds(5), .seconds(2), .seconds(2), .seconds(2)])
    #expect(list.maxAttempts == 4)
    #expect(RetrySchedule.list([]).maxAttempts == 1)
    #expect(
      waits(RetrySchedule(base: .seconds(3), backoff: .list([]))) == Array(repeating: .seconds(3), count: 5))
  }

  @Test("RetrySchedule: a listed schedule waits exactly as listed and then stops")
  func listed() throws {
    try simulate(seeds: 0..<5) {
      let calls = Calls()
      let end = await word {
        try await retry(.list([.seconds(1), .seconds(5)])) { _ in
          calls.add()
          throw Fault()
        }
      }
      #expect(end == "fault" && calls.count == 3 && milliseconds == 6_000)
    }
  }

  @Test("RetrySchedule: decorrelated waits lie between the base and three times the last one, within the cap")
  func decorrelated() {
    let schedule = RetrySchedule(base: .milliseconds(100), cap: .seconds(2), jitter: .decorrelated)
    let random = RandomSource.seeded(7)
    var atTheCap: Set<Duration> = []
    for _ in 0..<200 {
      var last: Duration?
      for retries in 0..<8 {
        let wait = schedule.wait(afterRetries: retries, previous: last, random: random)
        #expect(wait >= .milliseconds(100))
        #expect(wait <= min(.seconds(2), (last ?? .milliseconds(100)) * 3))
        last = wait
      }
      atTheCap.insert(schedule.wait(afterRetries: 9, previous: .seconds(2), random: random))
    }
    #expect(atTheCap.count > 150)
  }

  @Test("RetrySchedule: a retried call passes its last wait on to decorrelated jitter")
  func decorrelatedInACall() throws {
    try simulate(seeds: 0..<200) {
      let schedule = RetrySchedule(
        maxAttempts: 8, base: .milliseconds(100), cap: .seconds(60), jitter: .decorrelated)
      let starts = Served()
      _ = await word {
        try await retry(schedule) { _ in
          starts.add(Int(milliseconds))
          throw Fault()
        }
      }
      let waits = zip(starts.all.dropFirst(), starts.all).map { $0 - $1 }
      for (index, wait) in waits.enumerated() {
        // A millisecond for what is cut off.
        #expect(wait >= 99 && wait <= 3 * ((index == 0 ? 100 : waits[index - 1]) + 1) + 1)
      }
    }
  }

  @Test(
    "RetrySchedule: a wait that a failure asked for does not widen the range of the next decorrelated one")
  func decorrelatedAfterAsking() {
    let schedule = RetrySchedule(
      maxAttempts: 9, base: .milliseconds(100), cap: .seconds(60), jitter: .decorrelated)
    var state = RetryState(schedule, isNested: false)
    let most = RandomSource { .max }
    _ = state.next(after: .retryAfter(.seconds(50)), remaining: nil, random: most)
    state.advance()
    guard case .wait(let wait) = state.next(after: .retry, remaining: nil, random: most) else {
      Issue.record("no wait")
      return
    }
    #expect(wait > .milliseconds(890) && wait <= .milliseconds(900))
  }

  @Test(
    "RetrySchedule: any backoff with any numbers gives waits from zero to the cap",
    arguments: [RetrySchedule.Jitter.none, .full, .equal, .decorrelated])
  func hostile(jitter: RetrySchedule.Jitter) {
    let backoffs: [RetrySchedule.Backoff] = [
      .exponential, .linear, .constant, .list([]), .list(hostileDurations),
    ]
    for base in hostileDurations {
      for cap in hostileDurations {
        for backoff in backoffs {
          let schedule = RetrySchedule(base: base, cap: cap, backoff: backoff, jitter: jitter)
          for retries in [Int.min, 0, 1, 7, 1_000, .max] {
            for previous in hostileDurations + [nil] {
              for source in [RandomSource { 0 }, RandomSource { .max }] {
                let wait = schedule.wait(afterRetries: retries, previous: previous, random: source)
                #expect(wait >= .zero && wait <= schedule.cap)
              }
            }
          }
        }
      }
    }
  }
}
