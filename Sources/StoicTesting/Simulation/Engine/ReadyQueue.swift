/// The jobs that can run, and the schedule that picks among them.
struct ReadyQueue {
  /// A job and the task that it is a step of.
  struct Entry {
    let job: UnownedJob
    let task: Int
    /// Which of all jobs of the run it is.
    var number = 0
  }

  /// What PCT knows of a task.
  private struct Priority {
    var value: UInt64
    var isDrawn: Bool
  }

  /// After so many steps in a row a task is demoted: one that waits for others by yielding would else run for ever.
  private static let spinLimit = 100

  private(set) var entries: [Entry] = []
  private let schedule: SimulationSchedule
  private var changePoints: Set<Int>
  private var priorities: [Priority] = []
  private var nextLow: UInt64 = 1 << 31
  /// PCT's priority of the timer that fires next, as of a task of one step; drawn when it is first asked for.
  private var timerPriority: UInt64?
  private var spinning = (task: -1, steps: 0)
  private var added = 0
  /// The task that ran last.
  private var last = -1
  /// Tells states apart, for a search.
  var tracker: StateTracker?
  /// How often a task had to wait that could have gone on.
  private(set) var preemptions = 0

  /// - Parameter steps: how many steps the scenario takes, for PCT's change points.
  init(_ schedule: SimulationSchedule, steps: Int, _ choices: inout ChoiceStream) {
    self.schedule = schedule
    changePoints = []
    guard case .pct(let depth) = schedule else { return }
    // More change points than steps change nothing more.
    for _ in 1..<max(1, min(depth, steps + 1)) {
      changePoints.insert(1 + Int(choices.scheduleBits() % UInt64(max(1, steps))))
    }
  }

  var isEmpty: Bool { entries.isEmpty }
  var count: Int { entries.count }

  mutating func add(_ entry: Entry) {
    added += 1
    entries.append(Entry(job: entry.job, task: entry.task, number: added))
  }

  /// Takes out the job that runs in a step; there has to be one.
  ///
  /// - Parameter isDue: whether there is a timer of the present instant, too.
  /// - Returns: nil where the timer is to fire first.
  mutating func take(step: Int, orTimer isDue: Bool, _ choices: inout ChoiceStream) -> Entry? {
    let chosen =
      choices.guide == nil
      ? choose(step: step, orTimer: isDue, &choices) : chooseByGuide(orTimer: isDue, &choices)
    guard let index = chosen else {
      timerPriority = nil
      return nil
    }
    if choices.isRecording, entries[index].task != last, entries.contains(where: { $0.task == last }) {
      preemptions += 1
    }
    last = entries[index].task
    if case .pct = schedule { countSpin(of: last, orTimer: isDue) }
    entries.swapAt(index, entries.count - 1)
    return entries.removeLast()
  }

  /// The place of the job that runs; nil for a timer.
  private mutating func choose(step: Int, orTimer isDue: Bool, _ choices: inout ChoiceStream) -> Int? {
    if choices.isRepeating {
      if isDue, choices.repeated(.due, below: 2, in: state(offersTimer: true)) == 1 { return nil }
      guard entries.count > 1 else { return 0 }
      let kind: Choice.Kind = entries.contains { $0.task == last } ? .preemption : .order
      return place(ofRank: Int(choices.repeated(kind, below: entries.count, in: state(offersTimer: false))))
    }
    let count = entries.count + (isDue ? 1 : 0)
    var index: Int?
    switch schedule {
    case .uniform, .replay: index = count == 1 ? 0 : choices.draw(below: count)
    case .pct:
      // A timer that fires takes no step, and the same one comes again.
      if changePoints.remove(step) != nil { demoteHighest(orTimer: isDue, &choices) }
      index = highest(orTimer: isDue, &choices)
    }
    if index == entries.count { index = nil }
    note(index, orTimer: isDue, &choices)
    return index
  }

  private mutating func chooseByGuide(orTimer isDue: Bool, _ choices: inout ChoiceStream) -> Int? {
    let entries = self.entries
    let task = choices.guided { task in
      task == ScheduleGuide.clock ? isDue : entries.contains { $0.task == task }
    }
    var index: Int?
    if task != ScheduleGuide.clock {
      let places = entries.indices.filter { entries[$0].task == task }
      index = places.min { entries[$0].number < entries[$1].number } ?? place(ofRank: 0)
    }
    note(index, orTimer: isDue, &choices)
    return index
  }

  /// What the run has come to, for a search.
  private func state(offersTimer: Bool) -> UInt64? {
    tracker?.state(
      ready: entries.map(\.task), last: last, preemptions: preemptions, offersTimer: offersTimer)
  }

  /// Notes first whether a timer was to fire, and then which job was to run.
  private func note(_ index: Int?, orTimer isDue: Bool, _ choices: inout ChoiceStream) {
    guard choices.isRecording else { return }
    if isDue { choices.note(index == nil ? 1 : 0, .due, below: 2) }
    guard let index, entries.count > 1 else { return }
    choices.note(rank(of: index), entries.contains { $0.task == last } ? .preemption : .order)
  }

  /// The order in which a plain scheduler would take the jobs: that of the last task first, then the others by age.
  private func isBefore(_ left: Entry, _ right: Entry) -> Bool {
    (left.task == last) == (right.task == last) ? left.number < right.number : left.task == last
  }

  private func rank(of index: Int) -> UInt64 {
    UInt64(entries.count { isBefore($0, entries[index]) })
  }

  private func place(ofRank rank: Int) -> Int {
    entries.indices.sorted { isBefore(entries[$0], entries[$1]) }[rank]
  }

  /// Hands out all jobs, for the end of a run.
  mutating func takeAll() -> [Entry] {
    defer { entries = [] }
    return entries
  }

  /// The place of the job of the highest priority; beyond the last one where a timer's is higher.
  private mutating func highest(orTimer isDue: Bool, _ choices: inout ChoiceStream) -> Int {
    var best = (index: 0, priority: UInt64(0))
    for index in entries.indices {
      let priority = priority(of: entries[index].task, &choices)
      if priority > best.priority { best = (index, priority) }
    }
    guard isDue else { return best.index }
    let own = timerPriority ?? Self.priority(&choices)
    timerPriority = own
    return own > best.priority ? entries.count : best.index
  }

  private mutating func priority(of task: Int, _ choices: inout ChoiceStream) -> UInt64 {
    while priorities.count <= task { priorities.append(Priority(value: 0, isDrawn: false)) }
    if !priorities[task].isDrawn {
      priorities[task] = Priority(value: Self.priority(&choices), isDrawn: true)
    }
    return priorities[task].value
  }

  /// A priority by chance, above all lowered ones.
  private static func priority(_ choices: inout ChoiceStream) -> UInt64 {
    (1 << 32) | (choices.scheduleBits() >> 32)
  }

  private mutating func demoteHighest(orTimer isDue: Bool, _ choices: inout ChoiceStream) {
    let first = highest(orTimer: isDue, &choices)
    if first < entries.count { return demote(entries[first].task) }
    nextLow -= 1
    timerPriority = nextLow
  }

  private mutating func demote(_ task: Int) {
    nextLow -= 1
    priorities[task].value = nextLow
  }

  private mutating func countSpin(of task: Int, orTimer isDue: Bool) {
    guard spinning.task == task, entries.count > 1 || isDue else {
      spinning = (task, 0)
      return
    }
    spinning.steps += 1
    guard spinning.steps > Self.spinLimit else { return }
    spinning.steps = 0
    demote(task)
  }
}
