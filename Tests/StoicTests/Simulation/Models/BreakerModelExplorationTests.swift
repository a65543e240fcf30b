import Stoic
import StoicTesting
import Testing

@Suite("A breaker beside its model")
struct BreakerModelExplorationTests {
  /// The nanoseconds since the run began, by which the model counts.
  private static var now: Int { Int(Ambient.clock.now.offset / .nanoseconds(1)) }

  private static func configuration(_ numbers: BreakerExplorationTests.Case) -> CircuitBreaker.Configuration {
    CircuitBreaker.Configuration(
      failureRatio: 0.5, minimumCalls: 2, window: .nanoseconds(BreakerModel.window),
      lastCalls: numbers.lastCalls, slowCallDuration: .nanoseconds(BreakerModel.slowFrom), slowCallRatio: 1,
      openFor: .nanoseconds(10), maxOpenFor: .nanoseconds(25), growth: 2, openJitter: 0,
      probes: numbers.probes, successesToClose: numbers.successesToClose,
      probeTimeout: .nanoseconds(BreakerModel.probeTimeout))
  }

  private static func state(_ phase: BreakerModel.Phase) -> CircuitBreaker.State {
    switch phase {
    case .closed, .forcedClosed: .closed
    case .open, .forcedOpen: .open
    case .halfOpen: .halfOpen
    }
  }

  /// What the model tells of a change, as the breaker's event has it.
  private static func event(_ change: CircuitBreakerState.Change) -> String {
    switch change {
    case .opened(let cause, let time, let calls, let failures):
      "breaker.opened \(cause.rawValue) \(time.text) \(calls) \(failures)"
    case .halfOpened: "breaker.half_open"
    case .closed: "breaker.closed"
    }
  }

  private static func event(_ event: Event) -> String {
    ([event.name] + ["cause", "open_for", "calls", "failures"].compactMap { event[$0] }).joined(
      separator: " ")
  }

  /// A breaker, its model, and what the breaker has told.
  private struct Rig: Sendable {
    let breaker: CircuitBreaker
    let followed: Followed<BreakerModel>
    let events = EventRecorder()

    init(_ numbers: BreakerExplorationTests.Case) {
      let breaker = CircuitBreaker(BreakerModelExplorationTests.configuration(numbers))
      self.breaker = breaker
      let model = BreakerModel(
        probeLimit: numbers.probes, successesToClose: numbers.successesToClose, lastCalls: numbers.lastCalls)
      let events = events
      followed = Followed(model) { model in
        let told = events.events.filter { $0.name != "breaker.rejected" }.map(
          BreakerModelExplorationTests.event)
        let phase = model.reading(at: BreakerModelExplorationTests.now)
        return difference("the state", breaker.state, BreakerModelExplorationTests.state(phase))
          ?? difference("the dropped results", breaker.droppedResults, model.dropped)
          ?? difference("what is told", told, model.changes.map(BreakerModelExplorationTests.event))
      }
    }

    /// A call that takes a time and comes to an end of the run's choice.
    func call(_ work: @Sendable () async throws -> Void) async {
      let begin = BreakerModelExplorationTests.now
      let answer = followed.tell { $0.admit(at: begin, begins: true) }
      let version = followed.version
      let result = Lock<CircuitBreaker.Outcome?>(nil)
      do {
        try await withEvents(events) {
          try await breaker.run {
            #expect(followed.version == version)
            followed.check()
            do {
              try await work()
              result.withLock { $0 = .success }
            } catch {
              result.withLock { $0 = error is CancellationError ? nil : .failure }
              throw error
            }
          }
        }
      } catch let rejection as Rejection {
        #expect(answer == .refused(retryAfter: rejection.retryAfter.map { Int($0 / .nanoseconds(1)) }))
        #expect(followed.version == version)
        return followed.check()
      } catch {}
      let end = BreakerModelExplorationTests.now
      guard case .permit(let permit) = answer else {
        return #expect(Bool(false), "a call is let through, by the model it is not")
      }
      let outcome = result.withLock { $0 }
      followed.tell { $0.record(permit, outcome, took: end - begin, at: end) }
      followed.check()
    }

    /// Fails twice, which opens the breaker, and waits until it may be tried again.
    func open() async throws {
      for _ in 0..<2 { await call { throw Fault() } }
      try await Ambient.sleep(for: .nanoseconds(10))
      followed.check()
    }
  }

  @Test(
    "Under every schedule a half-open breaker agrees with lists and ifs, at each step, in state, answers and events",
    arguments: [(1, 1, 1), (1, 1, 2), (2, 2, 2), (1, 2, 2)])
  func halfOpen(probes: Int, successes: Int, callers: Int) throws {
    let numbers = BreakerExplorationTests.Case(probes: probes, successesToClose: successes, lastCalls: nil)
    let report = try searchAll(limit: 200_000, merges: true) {
      let rig = Rig(numbers)
      try await rig.open()
      let crowd = FollowedCrowd(callers: callers, pace: .steps)
      await crowd.run { _ in
        await rig.call {
          await crowd.work()
          try Task.checkCancellation()
          if pick(below: 2) == 1 { throw Fault() }
        }
      } cancelled: {
        rig.followed.check()
      }
    }
    #expect(report.isComplete)
  }

  @Test(
    "Under every schedule a closed breaker agrees with lists and ifs, at each step",
    arguments: [(nil, 2), (2, 1)] as [(Int?, Int)])
  func closed(lastCalls: Int?, callers: Int) throws {
    let numbers = BreakerExplorationTests.Case(probes: 1, successesToClose: 1, lastCalls: lastCalls)
    let report = try searchAll(limit: 200_000, merges: true) {
      let rig = Rig(numbers)
      let crowd = FollowedCrowd(callers: callers, pace: .steps)
      await crowd.run { _ in
        await rig.call {
          await crowd.work()
          try Task.checkCancellation()
          if pick(below: 2) == 1 { throw Fault() }
        }
      } cancelled: {
        rig.followed.check()
      }
    }
    #expect(report.isComplete)
  }

  @Test(
    "However long calls take, a breaker agrees with lists and ifs through all its states, at each step",
    arguments: BreakerExplorationTests.cases)
  func sweep(numbers: BreakerExplorationTests.Case) throws {
    try simulate(
      seeds: 0..<200,
      marks: ["half open", "probe expired", "probe failed", "closed again", "dropped", "slow"]
    ) {
      let rig = Rig(numbers)
      await withTaskGroup(of: Void.self) { group in
        for name in 0..<5 {
          group.addTask(name: "caller \(name)") {
            for _ in 0..<6 {
              try? await Ambient.sleep(for: .nanoseconds(pick(below: 4) * 6))
              let isFailing = pick(below: 3) == 2
              await rig.call {
                try await Ambient.sleep(for: .nanoseconds([1, 4, 7, 40][pick(below: 4)]))
                if isFailing { throw Fault() }
              }
            }
          }
        }
      }
      // What is rare has to come about.
      let model = rig.followed.model
      if model.dropped > 0 { mark("dropped") }
      for change in model.changes {
        switch change {
        case .opened(.failures, _, _, _): break
        case .opened(.slowCalls, _, _, _): mark("slow")
        case .opened(.probe, _, _, _): mark("probe failed")
        case .opened(.probeExpired, _, _, _): mark("probe expired")
        case .halfOpened: mark("half open")
        case .closed: mark("closed again")
        }
      }
    }
  }
}
