import Stoic

/// The one stream that everything random in a run is drawn from: which job is next, ties between timers, early timers,
/// jitter, injected faults.
///
/// A stream is seeded, or it repeats a list of choices; either way a run that draws the same choices is the same run.
struct ChoiceStream {
  private var generator: SplitMix
  private let list: [UInt64]?
  /// Who is to run, where that is not by the list.
  private(set) var guide: ScheduleGuide?
  private var position = 0
  /// Whether the choices are kept.
  let isRecording: Bool

  /// Whose step is under way; -1 between steps.
  var task = -1

  /// The choices made, where they are recorded.
  private(set) var made: [Choice] = []

  /// A stream by a seed.
  init(seed: UInt64, isRecording: Bool) {
    // Neighbouring seeds must not give neighbouring streams.
    generator = SplitMix(seed: (seed &+ 1) &* 0xD134_2543_DE82_EF95)
    list = nil
    self.isRecording = isRecording
  }

  /// A stream that repeats a list, and after its end always chooses zero: no preemption, no early timer, no fault.
  init(repeating list: [UInt64], isRecording: Bool) {
    generator = SplitMix(seed: 0)
    self.list = list
    self.isRecording = isRecording
  }

  /// A stream that follows a guide.
  init(guide: ScheduleGuide) {
    self.init(repeating: [], isRecording: true)
    self.guide = guide
  }

  /// Which of some tasks the guide wants to run next, or ``ScheduleGuide/clock``; nil when it has no wish.
  mutating func guided(among isReady: (Int) -> Bool) -> Int? { guide?.next(isReady) }

  /// Whether a list is repeated.
  var isRepeating: Bool { list != nil }

  /// A number below a bound of at least 1, which the caller notes in its own way.
  mutating func draw(below bound: Int) -> Int {
    Int(draw().multipliedFullWidth(by: UInt64(bound)).high)
  }

  /// A number below a bound of at least 1.
  mutating func below(_ bound: Int, _ kind: Choice.Kind) -> Int {
    if list != nil { return Int(repeated(kind, below: bound)) }
    let value = draw(below: bound)
    note(UInt64(value), kind, below: bound)
    return value
  }

  /// 64 random bits, for whoever needs a number of its own, such as jitter.
  mutating func bits() -> UInt64 {
    if list != nil { return repeated(.draw, below: nil) }
    let bits = draw()
    note(bits, .draw)
    return bits
  }

  /// The next choice of a repeated list, which is noted.
  mutating func repeated(_ kind: Choice.Kind, below bound: Int?, in state: UInt64? = nil) -> UInt64 {
    var value: UInt64 = 0
    if guide != nil {
      value = guide?.nextValue(of: task) ?? 0
    } else if let list, position < list.count {
      value = list[position]
      position += 1
    }
    if let bound { value %= UInt64(bound) }
    note(value, kind, below: bound ?? 1, in: state)
    return value
  }

  /// Notes a choice that was made by a rule of its own.
  mutating func note(_ value: UInt64, _ kind: Choice.Kind, below bound: Int = 1, in state: UInt64? = nil) {
    if isRecording { made.append(Choice(value: value, kind: kind, task: task, bound: bound, state: state)) }
  }

  /// Bits that belong to the schedule and are no choice of the run, such as a task's priority.
  mutating func scheduleBits() -> UInt64 { draw() }

  private mutating func draw() -> UInt64 { generator.next() }
}

/// One choice of a run; zero is always the plainest one.
struct Choice: Equatable, Sendable {
  enum Kind: Sendable {
    /// Which job runs: zero is the one that goes on with the task that ran last, or the oldest.
    case order
    /// Which job runs while the task that ran last could go on: all but zero preempt it.
    case preemption
    /// Which of the timers of one instant fires: zero is the oldest.
    case tie
    /// Whether a timer of the present instant fires while work is runnable.
    case due
    /// Whether time passes while work is runnable.
    case early
    /// A number that the body asked for by its bound.
    case pick
    /// Bits of `Ambient.random`: jitter, faults, what the body draws.
    case draw
  }

  var value: UInt64
  var kind: Kind
  /// In whose step it was made; -1 between steps.
  var task = -1
  /// How many there were to choose from; 1 where they cannot be tried one by one.
  var bound = 1
  /// What the run had come to by then, where that is kept: the same state has the same future.
  var state: UInt64?
}

/// Who runs when, as stretches of one task each: what a shrinking works on.
///
/// Where a stretch's task cannot run the stretch is passed over, and after the last one no task is preempted: so what is taken
/// out of a guide leaves the rest its meaning.
struct ScheduleGuide: Equatable, Sendable {
  struct Stretch: Equatable, Sendable {
    /// A task's number, or ``ScheduleGuide/clock``.
    var task: Int
    var steps: Int
  }

  /// In place of a task: the clock, as far as it fires timers of the present instant while tasks can run.
  static let clock = -1

  /// A choice of another kind than who runs.
  struct Value: Equatable, Sendable {
    var task: Int
    var value: UInt64
  }

  var stretches: [Stretch]
  private var position = 0
  /// For each task on its own: in another order of the tasks each still gets its own.
  private var values: [Int: [UInt64]] = [:]
  private var used: [Int: Int] = [:]

  init(_ stretches: [Stretch], _ values: [Value]) {
    self.stretches = stretches
    for value in values { self.values[value.task, default: []].append(value.value) }
  }

  fileprivate mutating func nextValue(of task: Int) -> UInt64 {
    let place = used[task, default: 0]
    used[task] = place + 1
    guard let list = values[task], place < list.count else { return 0 }
    return list[place]
  }

  fileprivate mutating func next(_ isReady: (Int) -> Bool) -> Int? {
    while position < stretches.count {
      if stretches[position].steps > 0, isReady(stretches[position].task) {
        stretches[position].steps -= 1
        return stretches[position].task
      }
      position += 1
    }
    return nil
  }
}
