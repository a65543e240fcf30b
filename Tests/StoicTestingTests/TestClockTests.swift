import Stoic
import StoicTesting
import Testing

@Suite("Test clock")
struct TestClockTests {
  @Test("A thousand sleepers wake in the order of their instants, the same every time")
  func order() async throws {
    for _ in 0..<3 {
      let clock = TestClock()
      let woken = Lock<[Int]>([])
      let ids = (0..<1_000).map { index in
        clock.addTimer(at: .seconds((index * 7_919) % 1_000 + 1)) { woken.withLock { $0.append(index) } }
      }
      #expect(Set(ids).count == 1_000)
      clock.advance(by: .seconds(1_000))
      let expected = (0..<1_000).sorted { (($0 * 7_919) % 1_000, $0) < (($1 * 7_919) % 1_000, $1) }
      #expect(woken.withLock { $0 } == expected)
    }
  }

  @Test("Waiting for sleepers resumes when they are there, and at once when they are there already")
  func waiting() async throws {
    let clock = TestClock()
    await clock.waitForSleepers(0)
    let sleepers = (1...20).map { seconds in
      Task { try await clock.sleep(until: .init(offset: .seconds(seconds))) }
    }
    await clock.waitForSleepers(20)
    await clock.waitForSleepers(3)
    #expect(clock.sleepers.map(\.offset) == (1...20).map { .seconds($0) })
    clock.advance(by: .seconds(20))
    for sleeper in sleepers { try await sleeper.value }
  }

  @Test("Advancing wakes who is due and nobody else")
  func partial() async throws {
    let clock = TestClock()
    let early = Task { try await clock.sleep(until: .init(offset: .seconds(1))) }
    let late = Task { try await clock.sleep(until: .init(offset: .seconds(3))) }
    await clock.waitForSleepers(2)
    clock.advance(by: .seconds(2))
    try await early.value
    #expect(clock.sleepers == [.init(offset: .seconds(3))])
    #expect(clock.now.offset == .seconds(2))
    late.cancel()
    await #expect(throws: CancellationError.self) { try await late.value }
    #expect(clock.sleepers.isEmpty)
  }

  @Test("The clock never goes back")
  func monotone() {
    let clock = TestClock()
    clock.advance(by: .seconds(5))
    clock.advance(by: .seconds(-3))
    clock.advance(to: .init(offset: .seconds(1)))
    #expect(clock.now.offset == .seconds(5))
    clock.advance(by: .seconds(Int64.max))
    clock.advance(by: .seconds(Int64.max))
    #expect(clock.now.offset > .seconds(5))
  }

  @Test("Advances of several tasks add up")
  func together() async {
    let clock = TestClock()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask { for _ in 0..<1_000 { clock.advance(by: .seconds(1)) } }
      }
    }
    #expect(clock.now.offset == .seconds(8_000))
  }

  @Test("A timer set inside a timer for a time that is passed over fires in the same advance")
  func chained() {
    let clock = TestClock()
    let fired = Lock<[Duration]>([])
    _ = clock.addTimer(at: .seconds(1)) {
      fired.withLock { $0.append(clock.elapsed) }
      _ = clock.addTimer(at: .seconds(2)) { fired.withLock { $0.append(clock.elapsed) } }
    }
    clock.advance(by: .seconds(10))
    #expect(fired.withLock { $0 } == [.seconds(1), .seconds(2)])
  }

  @Test("Who waits for sleepers in vain can be cancelled")
  func waitingInVain() async {
    let clock = TestClock()
    let waiter = Task { await clock.waitForSleepers(1) }
    waiter.cancel()
    await waiter.value
  }

  @Test("Cancelling a sleeper as it wakes neither hangs nor resumes it twice")
  func races() async throws {
    for _ in 0..<500 {
      let clock = TestClock()
      let sleeper = Task { try await clock.sleep(until: .init(offset: .seconds(1))) }
      await clock.waitForSleepers(1)
      async let advanced: Void = clock.advance(by: .seconds(1))
      async let cancelled: Void = sleeper.cancel()
      _ = await (advanced, cancelled)
      _ = await sleeper.result
      #expect(clock.sleepers.isEmpty)
    }
  }
}
