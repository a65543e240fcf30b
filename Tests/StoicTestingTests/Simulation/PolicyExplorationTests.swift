import Stoic
import StoicTesting
import Testing

/// Invariants under every schedule of a few callers, one of whom is cancelled at any point.
///
/// An exploration by its name: some ten thousand runs on one thread are nothing for the thread sanitizer.
@Suite("Policies under every schedule")
struct PolicyExplorationTests {
  struct Fault: Error {}

  /// Runs callers who are alike, and one more who is cancelled by a task of its own, at any point or at one of some instants,
  /// after a deed at any point; how many came to what.
  static func crowd(
    _ callers: Int, cancelledAt instants: [Duration] = [.zero],
    after deed: @escaping @Sendable () -> Void = {}, _ call: @escaping @Sendable () async throws -> Void
  ) async -> [String: Int] {
    let ends = Shared<[String: Int]>([:])
    let end: @Sendable (String) -> Void = { word in
      touch()
      ends.withLock { $0[word, default: 0] += 1 }
    }
    let victim = Ambient.task(name: "victim") { try await call() }
    await withTaskGroup(of: Void.self) { group in
      startingAlike {
        for _ in 0..<callers { group.addTask { end(await word(call)) } }
      }
      group.addTask(name: "canceller") {
        touch()
        deed()
        let instant = instants[instants.count > 1 ? pick(below: instants.count) : 0]
        if instant > .zero { try? await Ambient.sleep(for: instant) }
        touch()
        victim.cancel()
      }
    }
    end("victim " + (await word { try await victim.value }))
    return ends.withLock { $0 }
  }

  /// What a call came to.
  static func word(_ call: () async throws -> Void) async -> String {
    do {
      try await call()
      return "value"
    } catch let rejection as Rejection {
      return rejection.reason.rawValue
    } catch is CancellationError {
      return "cancelled"
    } catch { return "fault" }
  }

  /// Callers of a bulkhead; their ends as text.
  static func bulkhead(permits: Int, queue: Int, callers: Int) async throws -> String {
    let bulkhead = Bulkhead(maxConcurrent: permits, queueLimit: queue)
    let inside = Shared((now: 0, most: 0))
    let ends = await crowd(callers) {
      do {
        try await bulkhead.run {
          inside.withLock { state in
            state.now += 1
            state.most = max(state.most, state.now)
          }
          await Task.yield()
          touch()
          inside.withLock { $0.now -= 1 }
        }
      } catch let rejection as Rejection {
        // It is refused in the very step in which it asked.
        #expect(bulkhead.inUse == permits && bulkhead.waiting == queue)
        throw rejection
      }
    }
    let most = inside.withLock { $0.most }
    #expect((1...permits).contains(most) || ends["value"] == nil)
    #expect(ends["cancelled"] == nil && ends["fault"] == nil)
    #expect((ends["value"] ?? 0) + (ends["bulkhead_full"] ?? 0) == callers)
    if callers + 1 <= permits + queue { #expect(ends["bulkhead_full"] == nil) }
    #expect(bulkhead.inUse == 0 && bulkhead.waiting == 0)
    return text(ends)
  }

  static func text(_ ends: [String: Int]) -> String {
    ends.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
  }

  @Test(
    "Bulkhead: within its permits, nobody refused while there is a place, everybody served, nothing kept",
    arguments: [(1, 1, 1), (1, 1, 2), (1, 2, 2), (2, 1, 2), (1, 2, 3)])
  func bulkhead(permits: Int, queue: Int, callers: Int) throws {
    let report = try searchAll(limit: 200_000, merges: true) {
      _ = try await Self.bulkhead(permits: permits, queue: queue, callers: callers)
    }
    #expect(report.isComplete)
  }

  /// Callers of a breaker that is half open; their ends as text.
  static func breaker(callers: Int) async throws -> String {
    let breaker = CircuitBreaker(CircuitBreaker.Configuration(minimumCalls: 1, openFor: .seconds(1)))
    try? await breaker.run { throw Fault() }
    try await Ambient.sleep(for: .seconds(1))
    let probes = Shared(0)
    let ends = await Self.crowd(callers) {
      try await breaker.run {
        touch()
        let isProbe = breaker.state == .halfOpen
        if isProbe { probes.withLock { $0 += 1 } }
        #expect(probes.withLock { $0 } <= 1)
        await Task.yield()
        touch()
        if isProbe { probes.withLock { $0 -= 1 } }
        try Task.checkCancellation()
      }
    }
    #expect(ends["cancelled"] == nil && ends["fault"] == nil)
    #expect((ends["value"] ?? 0) + (ends["breaker_open"] ?? 0) == callers)
    // Whatever has become of the probe, the next call is let through.
    try await breaker.run {}
    #expect(breaker.state == .closed)
    return text(ends)
  }

  @Test(
    "Breaker: one probe at a time when half open, its place given back also when it is cancelled",
    arguments: [1, 2, 3])
  func breaker(callers: Int) throws {
    let report = try searchAll(limit: 200_000, merges: true) { _ = try await Self.breaker(callers: callers) }
    #expect(report.isComplete)
  }

  /// Callers of one flight; their ends as text.
  static func singleFlight(callers: Int) async -> String {
    let flights = SingleFlight<Int, Void>()
    let flying = Shared(0)
    let ends = await Self.crowd(callers) {
      try await flights.run(1) {
        touch()
        let now = flying.withLock { count in
          count += 1
          return count
        }
        // One that was cancelled may still be leaving.
        #expect(now <= 2)
        await Task.yield()
        touch()
        flying.withLock { $0 -= 1 }
        try Task.checkCancellation()
      }
    }
    #expect(ends["value"] == callers && ends["cancelled"] == nil)
    #expect(flights.inFlight == 0 && flying.withLock { $0 } == 0)
    return text(ends)
  }

  @Test(
    "Single flight: one flight at a time, and nobody but who was cancelled is told so", arguments: [1, 2, 3])
  func singleFlight(callers: Int) throws {
    let report = try searchAll(limit: 200_000, merges: true) {
      _ = await Self.singleFlight(callers: callers)
    }
    #expect(report.isComplete)
  }
}
