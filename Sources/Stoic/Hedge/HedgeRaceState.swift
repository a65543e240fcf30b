/// One call of a hedge: which attempts run, and which of them it ends with.
///
/// Pure. The first value wins, and a final failure ends the call as well. Any other failure ends it only when no other
/// attempt runs; then the first attempt's is the one that is told.
package struct HedgeRaceState<Value> {
  /// Which attempt.
  package enum Attempt: Hashable, Sendable, CaseIterable { case first, second }

  private var running: Set<Attempt> = [.first]
  package private(set) var failure: (any Error)?
  private var hasHedged = false

  /// Whose value the call ends with; nil while there is none.
  package private(set) var winner: Attempt?
  /// How the call ends; nil while that is open.
  package private(set) var result: Result<Value, any Error>?

  package init() {}

  /// Whether a second attempt may begin: once, and only beside the first one.
  package var mayHedge: Bool { !hasHedged && result == nil }

  /// Begins the second attempt; false where it may not.
  package mutating func hedge() -> Bool {
    guard mayHedge else { return false }
    hasHedged = true
    running.insert(.second)
    return true
  }

  /// Takes the end of an attempt.
  ///
  /// - Parameter isFinal: whether a failure is one that another attempt would not mend.
  /// - Returns: whether the call ends now. What still runs then is to be cancelled.
  package mutating func end(
    _ attempt: Attempt, _ result: Result<Value, any Error>, isFinal: Bool = false
  ) -> Bool {
    guard running.remove(attempt) != nil, self.result == nil else { return false }
    switch result {
    case .success:
      winner = attempt
      self.result = result
    case .failure(let error):
      if attempt == .first || failure == nil { failure = error }
      if isFinal {
        self.result = result
      } else if running.isEmpty {
        self.result = failure.map { .failure($0) }
      }
    }
    return self.result != nil
  }
}

extension HedgeRaceState: Sendable where Value: Sendable {}
