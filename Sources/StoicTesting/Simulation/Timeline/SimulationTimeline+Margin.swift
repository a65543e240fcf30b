import Stoic

/// What a timeline tells beside its lanes: the state of each breaker that changed, and the attempt that a row is part of.
extension SimulationTimeline {
  /// More breakers than these are not read at a glance.
  private static let mostBreakers = 4

  /// The breakers that changed, by their labels.
  private var breakers: [String] {
    let labels = Set(rows.flatMap { $0.breakers.keys }).sorted()
    return labels.count <= Self.mostBreakers ? labels : []
  }

  private var hasAttempts: Bool { rows.contains { $0.attempt != nil } }

  /// What the margin's columns are; empty where there are none.
  var marginHead: String {
    var parts: [String] = []
    let breakers = breakers
    if !breakers.isEmpty {
      let word = breakers.count > 1 ? "breakers" : "breaker"
      parts.append("\(word) \(breakers.joined(separator: ", ")) (C closed, O open, H half open)")
    }
    if hasAttempts { parts.append("attempt (#)") }
    return parts.map { $0 + ", " }.joined()
  }

  /// The margin of each of some folds, all of one width.
  func margins(_ folds: [Range<Int>]) -> [String] {
    let breakers = breakers
    let hasAttempts = hasAttempts
    let margins = folds.map { fold in
      let states = rows[fold.upperBound - 1].breakers
      let letters = breakers.map { Self.letter(states[$0] ?? .closed) }.joined()
      let attempt = rows[fold].compactMap(\.attempt).last.map { "#\($0)" } ?? ""
      return hasAttempts && !letters.isEmpty ? "\(letters) \(attempt)" : letters + attempt
    }
    let width = margins.map(\.count).max() ?? 0
    return margins.map { $0 + String(repeating: " ", count: width - $0.count) + (width > 0 ? "  " : "") }
  }

  private static func letter(_ state: CircuitBreaker.State) -> String {
    switch state {
    case .closed: "C"
    case .open: "O"
    case .halfOpen: "H"
    }
  }
}
