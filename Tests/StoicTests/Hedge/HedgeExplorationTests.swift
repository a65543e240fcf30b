import Stoic
import Testing

@Suite("Hedge, explored")
struct HedgeExplorationTests {
  /// Two calls one beside the other, each with its race, and a model of each.
  private struct Scope: Explorable {
    typealias Race = HedgeRaceState<Int>

    enum Event: Hashable {
      case hedge(Int)
      case end(Int, Race.Attempt, End)
    }

    /// What an attempt brings.
    enum End: Hashable, CaseIterable {
      case seven, eight, failure, finalFailure

      var value: Int? {
        switch self {
        case .seven: 7
        case .eight: 8
        case .failure, .finalFailure: nil
        }
      }
    }

    /// A call by lists: what ran, in which order it ended, and with what.
    struct Model: Hashable {
      var begun: [Race.Attempt] = [.first]
      var ended: [Race.Attempt] = []
      var ends: [End] = []

      /// Who decides: the first that does not merely fail; else, when all that have begun have ended, the first attempt.
      var decisive: (Race.Attempt, End)? {
        if let index = ends.firstIndex(where: { $0 != .failure }) { return (ended[index], ends[index]) }
        return ended.count == begun.count ? (.first, .failure) : nil
      }
    }

    var races = [Race(), Race()]
    var models = [Model(), Model()]

    var events: [Event] {
      [0, 1].flatMap { call in
        [.hedge(call)]
          + Race.Attempt.allCases.flatMap { attempt in End.allCases.map { .end(call, attempt, $0) } }
      }
    }

    var mark: String { picture(of: self) }

    mutating func apply(_ event: Event) -> String? {
      switch event {
      case .hedge(let call):
        let may = models[call].begun.count == 1 && models[call].decisive == nil
        if may { models[call].begun.append(.second) }
        return difference("whether a hedge may begin", races[call].mayHedge, may)
          ?? difference("whether it begins", races[call].hedge(), may)
      case .end(let call, let attempt, let end):
        let isOpen = models[call].decisive == nil
        let counts = models[call].begun.contains(attempt) && !models[call].ended.contains(attempt)
        if isOpen, counts {
          models[call].ended.append(attempt)
          models[call].ends.append(end)
        }
        let result: Result<Int, any Error> =
          end.value.map { .success($0) } ?? .failure(Fault(number: Self.number(attempt, end)))
        return difference(
          "whether the call ends", races[call].end(attempt, result, isFinal: end == .finalFailure),
          isOpen && models[call].decisive != nil)
      }
    }

    private static func number(_ attempt: Race.Attempt, _ end: End) -> Int {
      (attempt == .first ? 1 : 2) + (end == .finalFailure ? 10 : 0)
    }

    func checkInvariants() -> String? {
      for (race, model) in zip(races, models) {
        let (attempt, end) = model.decisive ?? (nil, nil)
        let fault =
          difference("whether it is over", race.result != nil, end != nil)
          ?? difference("the value", race.result.flatMap { try? $0.get() }, end?.value)
          ?? difference("the winner", race.winner, end?.value == nil ? nil : attempt)
          ?? difference("the error", race.error?.number, Self.error(attempt, end))
        if let fault { return fault }
      }
      return nil
    }

    private static func error(_ attempt: Race.Attempt?, _ end: End?) -> Int? {
      guard let attempt, let end, end.value == nil else { return nil }
      return number(attempt, end)
    }
  }

  @Test(
    "Every sequence of eight events of two hedged calls ends each once: with the first value or final error, else the first attempt's"
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
