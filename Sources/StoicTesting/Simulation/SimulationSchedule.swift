/// How a simulated run picks the job that runs next.
///
/// No one schedule finds every bug: an order that two tasks get wrong is soon met by chance, one that needs the last of
/// seventeen tasks to be starved is not. Run several.
@nonexhaustive
public enum SimulationSchedule: Sendable, Hashable {
  /// Any runnable job, each with the same chance.
  case uniform
  /// The runnable job of the highest priority: finds bugs that need few, but rare, order constraints.
  ///
  /// Priorities are drawn per task, and lowered at `depth - 1` random steps; a depth below 1 counts as 1. Probabilistic
  /// concurrency testing, Burckhardt et al. 2010.
  case pct(depth: Int)
  /// The choices of an earlier run, repeated; after their end always the first that can be chosen.
  case replay([UInt64])
}

extension [SimulationSchedule] {
  /// The mix that finds most: half of the runs uniform, the others PCT of depths 2 to 4.
  public static var portfolio: [SimulationSchedule] {
    [.uniform, .pct(depth: 3), .uniform, .pct(depth: 2), .uniform, .pct(depth: 4)]
  }
}

extension SimulationSchedule: CustomStringConvertible {
  /// The schedule as `STOIC_SCHEDULE` takes it: `uniform`, `pct:3`, `replay:0.2.1`.
  public var description: String {
    switch self {
    case .uniform: "uniform"
    case .pct(let depth): "pct:\(max(1, depth))"
    case .replay(let choices): "replay:" + choices.map { String($0, radix: 36) }.joined(separator: ".")
    }
  }

  /// Reads what ``description`` writes; nil for anything else.
  public init?(_ text: some StringProtocol) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    switch (parts.first, parts.count) {
    case ("uniform", 1):
      self = .uniform
    case ("pct", 2):
      guard let depth = Int(parts[1]), depth >= 1 else { return nil }
      self = .pct(depth: depth)
    case ("replay", 2):
      let choices = parts[1].split(separator: ".").map { UInt64($0, radix: 36) }
      guard !choices.contains(nil) else { return nil }
      self = .replay(choices.compactMap(\.self))
    default:
      return nil
    }
  }

  /// The schedule as code.
  var code: String {
    switch self {
    case .uniform: ".uniform"
    case .pct(let depth): ".pct(depth: \(max(1, depth)))"
    case .replay(let choices): ".replay(\(choices))"
    }
  }
}
