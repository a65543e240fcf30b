import Stoic
import StoicTesting
import Testing

@Suite("Shrinking of a failing run")
struct ShrinkingTests {
  private static func failure(
    _ schedule: SimulationSchedule, earlyTimers: Bool = false,
    _ body: @escaping @Sendable () async throws -> Void
  ) -> SimulationFailure? {
    do {
      try simulate(seeds: 0..<4_000, schedules: [schedule], earlyTimers: earlyTimers, body)
      return nil
    } catch { return error as? SimulationFailure }
  }

  /// Ten tasks of ten steps, two of which lose an update.
  @Sendable private static func noisyLostUpdate() async throws {
    let number = Shared(0)
    await withTaskGroup(of: Void.self) { group in
      for index in 0..<10 {
        group.addTask {
          for _ in 0..<5 { await Task.yield() }
          if index < 2 {
            let before = number.withLock { $0 }
            await Task.yield()
            number.withLock { $0 = before + 1 }
          }
          for _ in 0..<5 { await Task.yield() }
        }
      }
    }
    if number.withLock({ $0 }) != 2 { throw Bugs.Found() }
  }

  @Test("A lost update among ten tasks shrinks to the one preemption that it takes, whatever the schedule")
  func lostUpdate() throws {
    for schedule in [SimulationSchedule.uniform, .pct(depth: 3)] {
      let failure = try #require(Self.failure(schedule, Self.noisyLostUpdate))
      #expect(failure.size.preemptions == 1)
      #expect(failure.size.preemptions < failure.originalSize.preemptions)
      #expect(failure.size.steps <= failure.originalSize.steps)
    }
  }

  @Test("The shrunk choices fail for the same reason, to the same size")
  func replay() throws {
    let failure = try #require(Self.failure(.uniform, Self.noisyLostUpdate))
    let replayed = try #require(Self.failure(.replay(failure.choices), Self.noisyLostUpdate))
    #expect(replayed.reason == failure.reason && replayed.size == failure.size)
    #expect(replayed.timeline == failure.timeline)
    #expect(replayed.originalSize == replayed.size)
    #expect(failure.description.contains("Shrunk from \(failure.originalSize) to \(failure.size)"))
    #expect(failure.description.contains("[.replay(\(failure.choices))]"))
  }

  @Test("A failed expectation of a shrunk run is told once, as it is in the repetition")
  func expectation() throws {
    let body: @Sendable () async throws -> Void = {
      let number = Shared(0)
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<3 {
          group.addTask {
            let before = number.withLock { $0 }
            await Task.yield()
            number.withLock { $0 = before + 1 }
          }
        }
      }
      let count = number.withLock { $0 }
      #expect(count == 3)
    }
    let failure = try #require(Self.failure(.uniform, body))
    #expect(failure.size != failure.originalSize && !failure.message.contains("more"))
    let replayed = try #require(Self.failure(.replay(failure.choices), body))
    #expect(replayed.message == failure.message && replayed.timeline == failure.timeline)
  }

  @Test("The same failure shrinks to the same case each time")
  func deterministic() throws {
    let first = try #require(Self.failure(.pct(depth: 4), Self.noisyLostUpdate))
    let second = try #require(Self.failure(.pct(depth: 4), Self.noisyLostUpdate))
    #expect(first.choices == second.choices && first.size == second.size)
  }

  @Test("Draws that have nothing to do with a failure become zero, and the one that has is made small")
  func draws() throws {
    let failure = try #require(
      Self.failure(.uniform) {
        var draws: [UInt64] = []
        for _ in 0..<20 { draws.append(Ambient.random.next()) }
        if draws[7] % 8 == 1 { throw Bugs.Found() }
      })
    #expect(failure.choices == [0, 0, 0, 0, 0, 0, 0, 1])
    #expect(failure.originalSize.faults == 20 && failure.size.faults == 1)
  }

  @Test("Each task keeps the numbers that it drew when the order is shrunk")
  func drawsOfTasks() throws {
    let failure = try #require(
      Self.failure(.uniform) {
        let sum = Shared(0)
        await withTaskGroup(of: Void.self) { group in
          for index in 1...6 {
            group.addTask {
              for _ in 0..<4 { await Task.yield() }
              if pick(below: 8) == index { sum.withLock { $0 += 1 } }
            }
          }
        }
        if sum.withLock({ $0 }) >= 3 { throw Bugs.Found() }
      })
    #expect(failure.originalSize.preemptions > 20)
    #expect(failure.size.preemptions == 0 && failure.size.faults == 3)
  }

  @Test("A failure that other numbers bring about as well is left without a preemption")
  func drawnAnew() throws {
    let failure = try #require(
      Self.failure(.uniform) {
        let isLost = pick(below: 16) == 11
        try await Bugs.lostUpdate(tasks: 2)
        if isLost { throw Bugs.Found() }
      })
    #expect(failure.originalSize.preemptions > 0)
    #expect(failure.size.preemptions == 0 && failure.size.faults == 1 && failure.choices == [11])
  }

  @Test("A failure that needs no preemption, or an early timer, is left with none, or that one")
  func earlyTimer() throws {
    let plain = try #require(Self.failure(.uniform) { throw Bugs.Found() })
    #expect(plain.size.preemptions == 0 && plain.choices.isEmpty)
    let early = try #require(
      Self.failure(.uniform, earlyTimers: true) {
        try await withDeadline(.seconds(1)) { for _ in 0..<8 { await Task.yield() } }
      })
    // That there are early timers at all is one, and the timer is the other.
    #expect(early.size.faults == 2 && early.size.preemptions <= 1)
  }

  @Test("A smaller case that fails for another reason is not taken for one of the failure")
  func otherReason() throws {
    let body: @Sendable () async throws -> Void = {
      switch pick(below: 8) {
      case 0, 1: throw Bugs.Found()
      case 5...: try await Ambient.suspend()
      default: break
      }
    }
    // Of the first seeds, one that is stuck.
    let failure = try #require(
      (0..<100).lazy.compactMap { seed in
        VerdictTests.failure(seeds: seed..<seed + 1, schedules: [.uniform], body)
      }.first { $0.reason == .deadlock && $0.originalSize.faults == 1 && $0.message.contains("cancellation") }
    )
    #expect(failure.choices.count == 1 && failure.choices.allSatisfy { 5...7 ~= $0 })
  }

  @Test("A deadlock stays a deadlock when it is shrunk")
  func deadlock() throws {
    let failure = try #require(
      Self.failure(.uniform) {
        let (first, second) = (Shared(false), Shared(false))
        await withTaskGroup(of: Void.self) { group in
          for (mine, other) in [(first, second), (second, first)] {
            group.addTask {
              mine.withLock { $0 = true }
              await Task.yield()
              if other.withLock({ $0 }) { try? await Ambient.suspend() }
              mine.withLock { $0 = false }
            }
          }
        }
      })
    #expect(failure.reason == .deadlock)
    #expect(failure.size.preemptions <= 1)
    #expect(failure.size <= failure.originalSize)
  }
}
