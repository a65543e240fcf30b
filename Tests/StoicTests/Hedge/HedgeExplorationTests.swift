import Stoic
import Testing

@Suite("Hedge, explored")
struct HedgeExplorationTests {
  /// Two calls one beside the other, each with its race, and a model of each.
  private struct Scope: Explorable {
    typealias Race = HedgeRaceState<Int>

    enum Event: Hashable {
      case hedge(Int)
      case end(Int, Race.Attempt, Int?)
    }

    /// A call by lists: what ran, in which order it ended, and with what.
    struct Model: Hashable {
      var begun: [Race.Attempt] = [.first]
      var ended: [Race.Attempt] = []
      var values: [Int?] = []

      /// The first value; else, when all that have begun have ended, the first attempt's failure.
      var result: Int?? {
        if let value = values.compactMap({ $0 }).first { return .some(value) }
        return ended.count == begun.count ? .some(nil) : nil
      }

      /// Whose value it was.
      var winner: Race.Attempt? { zip(ended, values).first { $0.1 != nil }?.0 }
    }

    var races = [Race(), Race()]
    var models = [Model(), Model()]

    var events: [Event] {
      [0, 1].flatMap { call in
        [.hedge(call)]
          + Race.Attempt.allCases.flatMap { attempt in
            [.end(call, attempt, 7), .end(call, attempt, 8), .end(call, attempt, nil)]
          }
      }
    }

    var mark: String { picture(of: self) }

    mutating func apply(_ event: Event) -> String? {
      switch event {
      case .hedge(let call):
        let may = models[call].begun.count == 1 && models[call].result == nil
        if may { models[call].begun.append(.second) }
        return difference("whether a hedge may begin", races[call].mayHedge, may)
          ?? difference("whether it begins", races[call].hedge(), may)
      case .end(let call, let attempt, let value):
        let isOpen = models[call].result == nil
        let counts = models[call].begun.contains(attempt) && !models[call].ended.contains(attempt)
        if isOpen, counts {
          models[call].ended.append(attempt)
          models[call].values.append(value)
        }
        let number = attempt == .first ? 1 : 2
        let result: Result<Int, any Error> =
          value.map { .success($0) } ?? .failure(Fault(number: number))
        return difference(
          "whether the call ends", races[call].end(attempt, result), isOpen && models[call].result != nil)
      }
    }

    func checkInvariants() -> String? {
      for (race, model) in zip(races, models) {
        let isOver = model.result != nil
        let fault =
          difference("whether it is over", race.result != nil, isOver)
          ?? difference("the value", race.result.flatMap { try? $0.get() }, model.result ?? nil)
          ?? difference("the winner", race.winner, isOver ? model.winner : nil)
          ?? difference("the error", race.error, isOver && model.winner == nil ? Fault(number: 1) : nil)
        if let fault { return fault }
      }
      return nil
    }
  }

  @Test(
    "Every sequence of eight events of two hedged calls ends each once, with the first value or the first error"
  )
  func races() {
    let result = Exploration(of: Scope(), depth: 8)
    #expect(result.fault == nil)
    #expect(result.steps > 6_000)
  }

  private struct Sample: Explorable, Hashable {
    var state: LatencySample
    let capacity: Int
    var model: [Int] = []

    init(capacity: Int) {
      self.capacity = capacity
      state = LatencySample(capacity: capacity, minimum: 2)
    }

    var events: [Int] { [1, 2, 3, 5] }
    var mark: Sample { self }

    mutating func apply(_ latency: Int) -> String? {
      state.add(.nanoseconds(latency))
      model = Array((model + [latency]).suffix(capacity))
      return nil
    }

    func checkInvariants() -> String? {
      for percent in [50, 75, 90, 100] {
        let expected: Duration? =
          model.count < 2
          ? nil
          // The least one that so many percent do not exceed.
          : .nanoseconds(
            model.sorted().first { latency in
              100 * model.filter { $0 <= latency }.count >= percent * model.count
            } ?? 0)
        let quantile = state.quantile(Double(percent) / 100)
        if let fault = difference("quantile \(percent)", quantile, expected) { return fault }
      }
      return difference("the count", state.count, model.count)
    }
  }

  @Test(
    "Every sequence of eight latencies has the quantiles of a sorted list of the last ones",
    arguments: [2, 4, 5])
  func quantiles(capacity: Int) {
    let result = Exploration(of: Sample(capacity: capacity), depth: 8)
    #expect(result.fault == nil)
    #expect(result.steps > 100)
  }

  @Test(
    "Any numbers give a hedge that ends its calls", arguments: [Int.min, -1, 0, 1, .max],
    [Double.nan, -1, 0, 0.5, 1, .infinity, -.infinity])
  func hostile(number: Int, share: Double) async throws {
    for duration in hostileDurations {
      for delay in [Hedge.Delay.fixed(duration), .quantile(share)] {
        let numbers = Hedge.Configuration(
          delay: delay, minimumSamples: number, lastSamples: number, ratio: share, minimumHedges: number,
          budgetWindow: duration)
        #expect((1...10_000).contains(numbers.minimumSamples) && (0...1).contains(numbers.ratio))
        let hedge = Hedge(numbers)
        for value in 0..<4 { #expect(try await hedge.run { value } == value) }
        #expect(hedge.available >= 0 && (hedge.delay ?? .zero) >= .zero)
      }
    }
  }
}

extension HedgeRaceState {
  /// The test's own error that the call ends with.
  fileprivate var error: Fault? {
    guard case .failure(let error) = result else { return nil }
    return error as? Fault
  }
}
