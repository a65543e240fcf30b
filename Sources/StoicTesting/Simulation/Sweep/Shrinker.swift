import Stoic

/// Looks for a smaller case of a failure: fewer preemptions first, then fewer steps, then fewer faults.
///
/// A case is the stretches in which tasks ran, and the other choices of each task, of which zero is the plainest. In rounds, until one
/// brings nothing: the end is cut off; stretches are taken out in halves, quarters, down to each alone (Zeller and
/// Hildebrandt, "Simplifying and Isolating Failure-Inducing Input", 2002), joined with the next of the same task, or
/// prolonged; the other choices are cut, made zero, taken out, and made small. A try counts when it fails for the same
/// reason and is smaller. The budget is a number of runs and of steps, not a time, so that a failure shrinks to the same
/// case everywhere.
struct Shrinker {
  /// What a try came to.
  enum Outcome {
    /// It failed for the reason in question.
    case fails(SimulationRun.Course, String)
    /// It did not, after so many steps.
    case passes(Int)
    /// There can be no more tries.
    case over
  }

  /// The smallest case so far.
  private(set) var best: SimulationRun.Course
  /// What happened in it.
  private(set) var message: String?
  private var budget: Int
  private var steps = Self.stepBudget
  private var hasShrunk = false
  private var hasDrawnAnew = false
  private let run: (ScheduleGuide) -> Outcome

  /// How many steps all tries together may take: a second or so.
  private static let stepBudget = 200_000
  /// How many runs may be made on top to find the failure without a preemption.
  private static let draws = 200

  /// - Parameters:
  ///   - course: the case to shrink.
  ///   - budget: how many runs may be made.
  ///   - run: runs a case.
  init(_ course: SimulationRun.Course, budget: Int, run: @escaping (ScheduleGuide) -> Outcome) {
    best = course
    self.budget = budget
    self.run = run
  }

  /// Shrinks until nothing more can be had; false when the case is as small as it was.
  mutating func shrink() -> Bool {
    repeat {
      var hasGained = true
      while hasGained, budget > 0 {
        hasGained = cut(\.stretches)
        hasGained = remove(\.stretches) || hasGained
        hasGained = join() || hasGained
        hasGained = cut(\.others) || hasGained
        hasGained = zero() || hasGained
        hasGained = remove(\.others) || hasGained
        hasGained = lower() || hasGained
      }
    } while drawAnew()
    return hasShrunk
  }

  /// What is shrunk.
  private struct Case: Equatable {
    var stretches: [ScheduleGuide.Stretch]
    var others: [ScheduleGuide.Value]
  }

  private var current: Case { Case(stretches: best.stretches, others: best.otherChoices) }

  /// Cuts the end off: a half, a quarter, down to one.
  private mutating func cut<Element>(_ path: WritableKeyPath<Case, [Element]>) -> Bool {
    var hasGained = false
    var length = current[keyPath: path].count / 2
    while length > 0, !current[keyPath: path].isEmpty {
      var next = current
      next[keyPath: path].removeLast(min(length, next[keyPath: path].count))
      if attempt(next) { hasGained = true } else { length /= 2 }
    }
    return hasGained
  }

  /// Takes elements out: all, halves, quarters, down to each alone.
  private mutating func remove<Element>(_ path: WritableKeyPath<Case, [Element]>) -> Bool {
    var hasGained = false
    var width = current[keyPath: path].count
    while width > 0 {
      var start = 0
      while start < current[keyPath: path].count {
        var next = current
        let end = min(start + width, next[keyPath: path].count)
        next[keyPath: path].removeSubrange(start..<end)
        if attempt(next) { hasGained = true } else { start += width }
      }
      width /= 2
    }
    return hasGained
  }

  /// Has a task go on where it was interrupted: with its next stretch, or until it has to wait.
  private mutating func join() -> Bool {
    var hasGained = false
    var place = 0
    while place < current.stretches.count {
      var next = current
      let task = next.stretches[place].task
      if let later = next.stretches.indices.first(where: { $0 > place && next.stretches[$0].task == task }) {
        next.stretches[place].steps += next.stretches.remove(at: later).steps
      } else {
        next.stretches[place].steps = .max
      }
      if attempt(next) { hasGained = true } else { place += 1 }
    }
    return hasGained
  }

  /// Makes choices zero.
  private mutating func zero() -> Bool {
    var hasGained = false
    var width = current.others.count
    while width > 0 {
      var start = 0
      while start < current.others.count {
        var next = current
        for place in start..<min(start + width, next.others.count) { next.others[place].value = 0 }
        if next != current, attempt(next) { hasGained = true }
        start += width
      }
      width /= 2
    }
    return hasGained
  }

  /// Makes each choice that is left the smallest that does, of a few: they are easier to read.
  private mutating func lower() -> Bool {
    var hasGained = false
    var place = 0
    while place < current.others.count {
      for value in [1, 2, 3, 4, 1 << 62, 1 << 63] as [UInt64]
      where place < current.others.count && current.others[place].value > value {
        var next = current
        next.others[place].value = value
        if attempt(next) {
          hasGained = true
          break
        }
      }
      place += 1
    }
    return hasGained
  }

  /// Looks for the failure without any preemption, where other numbers bring it about: once, and last, since it leads away from
  /// the run that failed.
  private mutating func drawAnew() -> Bool {
    guard best.preemptions > 0, !current.others.isEmpty, !hasDrawnAnew else { return false }
    hasDrawnAnew = true
    budget += Self.draws
    steps = max(steps, Self.stepBudget / 4)
    var random = SplitMix(seed: 1)
    for _ in 0..<Self.draws {
      var next = current
      next.stretches = []
      for place in next.others.indices { next.others[place].value = random.next() }
      if attempt(next) { return true }
    }
    return false
  }

  private mutating func attempt(_ next: Case) -> Bool {
    guard budget > 0 else { return false }
    budget -= 1
    switch run(ScheduleGuide(next.stretches, next.others)) {
    case .over: budget = 0
    case .passes(let count): spend(count)
    case .fails(let course, let message):
      spend(course.steps)
      guard isBetter(course) else { return false }
      best = course
      self.message = message
      hasShrunk = true
      return true
    }
    return false
  }

  private mutating func spend(_ count: Int) {
    steps -= count
    if steps < 0 { budget = 0 }
  }

  private func isBetter(_ course: SimulationRun.Course) -> Bool {
    if course.size != best.size { return course.size < best.size }
    let (new, old) = (course.choices, best.choices)
    return new.count != old.count
      ? new.count < old.count : zip(new, old).first { $0 != $1 }.map { $0.value < $1.value } ?? false
  }
}
