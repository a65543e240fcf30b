/// A regular expression as an automaton that is in all of its possible states at once.
///
/// Thompson's construction: each scalar of a string visits each state at most once, so that time is bounded
/// by the product of the two sizes and there is nothing to backtrack.
struct PatternMachine: Sendable {
  private enum State: Sendable {
    case scalars([ClosedRange<UInt32>], isNegated: Bool, next: Int)
    case both(Int, Int)
    case end
  }

  private static let stateLimit = 10_000

  private var states: [State] = [.end]
  private let start: Int

  init(_ node: PatternNode) throws(PatternError) {
    var states: [State] = [.end]
    start = try Self.add(node, before: 0, to: &states)
    self.states = states
  }

  /// Adds the states of a part that lead to another state, and returns the first of them.
  private static func add(
    _ node: PatternNode, before next: Int, to states: inout [State]
  ) throws(PatternError) -> Int {
    if states.count > stateLimit {
      throw PatternError(description: "expected no more than \(stateLimit) states")
    }
    switch node {
    case .empty:
      return next
    case .scalars(let set):
      states.append(.scalars(set.ranges, isNegated: set.isNegated, next: next))
      return states.count - 1
    case .sequence(let nodes):
      var next = next
      for node in nodes.reversed() { next = try add(node, before: next, to: &states) }
      return next
    case .choice(let nodes):
      var first = try add(nodes[nodes.count - 1], before: next, to: &states)
      for node in nodes.dropLast().reversed() {
        let branch = try add(node, before: next, to: &states)
        states.append(.both(branch, first))
        first = states.count - 1
      }
      return first
    case .repeated(let node, let least, let most):
      var next = next
      if let most {
        let end = next
        for _ in least..<most {
          let branch = try add(node, before: next, to: &states)
          states.append(.both(branch, end))
          next = states.count - 1
        }
      } else {
        // The loop's own state is known before what it repeats is.
        states.append(.both(next, next))
        let loop = states.count - 1
        let branch = try add(node, before: loop, to: &states)
        states[loop] = .both(branch, next)
        next = loop
      }
      for _ in 0..<least {
        let first = try add(node, before: next, to: &states)
        // What takes no state matches nothing, however often.
        if first == next { break }
        next = first
      }
      return next
    }
  }

  func matches(_ text: String) -> Bool {
    var current = Set(count: states.count)
    var following = Set(count: states.count)
    var pending: [Int] = []
    enter(start, &current, &pending)
    for scalar in text.unicodeScalars {
      following.removeAll()
      for index in current.members {
        if case .scalars(let ranges, let isNegated, let next) = states[index],
          ranges.contains(where: { $0 ~= scalar.value }) != isNegated
        {
          enter(next, &following, &pending)
        }
      }
      swap(&current, &following)
      if current.members.isEmpty { return false }
    }
    return current.contains(0)
  }

  /// Enters a state and all that it leads to without a scalar.
  private func enter(_ state: Int, _ set: inout Set, _ pending: inout [Int]) {
    pending.append(state)
    while let index = pending.popLast() {
      guard set.insert(index), case .both(let first, let second) = states[index] else { continue }
      pending.append(second)
      pending.append(first)
    }
  }

  /// Some states; to empty it takes no time.
  private struct Set {
    private(set) var members: [Int] = []
    private var round = 1
    private var rounds: [Int]

    init(count: Int) {
      rounds = Array(repeating: 0, count: count)
    }

    func contains(_ state: Int) -> Bool { rounds[state] == round }

    mutating func insert(_ state: Int) -> Bool {
      if contains(state) { return false }
      rounds[state] = round
      members.append(state)
      return true
    }

    mutating func removeAll() {
      members.removeAll(keepingCapacity: true)
      round += 1
    }
  }
}
