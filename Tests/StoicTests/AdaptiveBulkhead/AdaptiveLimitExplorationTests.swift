import Stoic
import Testing

@Suite("Adaptive limit, explored")
struct AdaptiveLimitExplorationTests {
  // Both are Hashable, so a pair that was met is not continued again.
  private struct Scope: Explorable, Hashable {
    enum Event: Hashable {
      /// A call that began so long after the window and took so long ended.
      case end(AdaptiveBulkhead.Outcome?, after: Int, took: Int, isFull: Bool)
      /// One that began before the window.
      case endStale
      case wait(Int)
    }

    var state: AdaptiveLimitState
    var model: AdaptiveLimitModel
    var now = 1_000

    init(limit: Int, most: Int) {
      let numbers = AdaptiveBulkhead.Configuration(
        initialLimit: limit, minLimit: 1, maxLimit: 6, window: .nanoseconds(AdaptiveLimitModel.window),
        samples: 2, maxSamples: most, baselineLifetime: .nanoseconds(AdaptiveLimitModel.lifetime))
      state = AdaptiveLimitState(numbers, seed: 1)
      model = AdaptiveLimitModel(limit: limit, most: most)
    }

    var events: [Event] {
      [
        .end(.success, after: 8, took: 2, isFull: true), .end(.success, after: 2, took: 4, isFull: true),
        .end(.success, after: 8, took: 2, isFull: false), .end(.overload, after: 9, took: 1, isFull: true),
        .end(nil, after: 4, took: 4, isFull: true), .endStale, .wait(200),
      ]
    }

    var mark: Scope { self }

    mutating func apply(_ event: Event) -> String? {
      switch event {
      case .wait(let time):
        now += time
        return nil
      case .endStale: return end(.success, from: now - 400, isFull: true)
      case .end(let outcome, let after, let took, let isFull):
        let start = now + after
        now = start + took
        return end(outcome, from: start, isFull: isFull)
      }
    }

    private mutating func end(
      _ outcome: AdaptiveBulkhead.Outcome?, from start: Int, isFull: Bool
    ) -> String? {
      let inUse = isFull ? state.limit : state.limit - 1
      let before = state.limit
      let wasFull = isFull || model.wasFull
      let change = state.record(
        outcome, from: .nanoseconds(start), to: .nanoseconds(now), inUse: inUse)
      model.record(outcome, from: start, to: now, inUse: inUse)
      return difference("why the limit changes", change.map { [$0.cause] } ?? [], model.changes)
        ?? difference("the limit before", change?.before ?? before, before)
        ?? difference("the new limit", change?.limit ?? before, state.limit)
        ?? difference("the number of the change", change?.number ?? model.count, model.count)
        ?? broken(
          "a limit that is not reached does not rise but after a measurement",
          unless: wasFull || change?.cause != .latency || state.limit < before)
    }

    func checkInvariants() -> String? {
      difference("the limit", state.limit, model.calls)
        ?? difference("the baseline", state.baseline, model.baseline)
        ?? difference("whether it measures", state.isMeasuring, model.phase != .steady)
        ?? broken("the limit is bounded", unless: (1...6).contains(state.limit))
    }
  }

  @Test(
    "Every sequence of eight events keeps an adaptive limit's bounds and agrees with lists and ifs",
    arguments: [(1, 2), (6, 2), (6, 3)])
  func exploration(limit: Int, most: Int) {
    let result = Exploration(of: Scope(limit: limit, most: most), depth: 8)
    #expect(result.fault == nil)
    #expect(result.steps > 100_000)
  }
}
