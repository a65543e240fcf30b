import Stoic

/// What happened in a run: always as a hash, by which two runs are compared, and on demand step by step.
struct RunTrace {
  /// One thing that happened.
  enum Entry: Equatable, Sendable {
    /// A job of a task ran, chosen among so many.
    case ran(task: Int, of: Int)
    /// A job of a task became runnable.
    case readied(task: Int)
    /// The clock moved to an instant, and one timer fired.
    case fired(timer: Int, at: Duration, Firing)
    /// Something worth telling that a task did in its step; no part of the hash.
    case did(task: Int, String)
    /// A task's step is part of an attempt of a retry; no part of the hash.
    case attempted(task: Int, Int)
    /// A breaker came to a state; no part of the hash.
    case turned(label: String, CircuitBreaker.State)
  }

  /// When a timer fired.
  enum Firing: UInt64, Sendable {
    /// With nothing that could run.
    case idle
    /// At the present instant, with work still runnable that an earlier timer of the same instant had begun.
    case amid
    /// With work still runnable, for which time moved on too soon.
    case early
  }

  private(set) var hash: UInt64 = 0xCBF2_9CE4_8422_2325
  private(set) var entries: [Entry] = []
  /// The names of the tasks that have one and did something by which it came out.
  private(set) var names: [Int: String] = [:]
  /// Whether the entries are kept.
  let isDetailed: Bool

  init(isDetailed: Bool) {
    self.isDetailed = isDetailed
  }

  mutating func note(_ entry: Entry) {
    switch entry {
    case .ran(let task, let count):
      mix(UInt64(task) << 2 | 1)
      mix(UInt64(count))
    case .readied(let task):
      mix(UInt64(task) << 2 | 2)
    case .fired(let timer, let instant, let firing):
      mix(UInt64(timer) << 2 | 3)
      mix(UInt64(truncatingIfNeeded: instant.attoseconds >> 20) << 2 | firing.rawValue)
    case .did, .attempted, .turned: break
    }
    if isDetailed { entries.append(entry) }
  }

  /// Notes the name of a task; the first one counts.
  mutating func name(_ task: Int, _ name: @autoclosure () -> String?) {
    guard isDetailed, names[task] == nil else { return }
    names[task] = name()
  }

  /// FNV-1a over whole words (Fowler, Noll and Vo).
  private mutating func mix(_ word: UInt64) {
    hash = (hash ^ word) &* 0x100_0000_01B3
    hash ^= hash >> 29
  }
}

extension RunTrace.Firing {
  /// What is special about it, in words.
  var text: String? {
    switch self {
    case .idle: nil
    case .amid: "while work of this instant is still runnable"
    case .early: "early, while work is still runnable"
    }
  }
}

extension RunTrace.Entry: CustomStringConvertible {
  var description: String {
    switch self {
    case .ran(let task, let count): "task \(task) runs\(count > 1 ? ", one of \(count)" : "")"
    case .readied(let task): "task \(task) can run"
    case .did(let task, let what): "task \(task) \(what)"
    case .attempted(let task, let number): "task \(task) makes attempt \(number)"
    case .turned(let label, let state): "the breaker \(label) is \(state)"
    case .fired(let timer, let instant, let firing):
      "\(instant.text): timer \(timer) fires\(firing.text.map { ", \($0)" } ?? "")"
    }
  }
}
