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

  /// Takes out the job that runs in a step.
  mutating func take(step: Int, _ choices: inout ChoiceStream) -> Entry? {
    guard !entries.isEmpty else { return nil }
    let index: Int
    if choices.guide != nil {
      index = chooseByGuide(&choices)
    } else {
      index = choose(step: step, &choices)
    }
    if choices.isRecording, entries[index].task != last, entries.contains(where: { $0.task == last }) {
      preemptions += 1
    }
    last = entries[index].task
    if case .pct = schedule { countSpin(of: last) }
    entries.swapAt(index, entries.count - 1)
    return entries.removeLast()
  }

  /// The place of the job that runs.
  private mutating func choose(step: Int, _ choices: inout ChoiceStream) -> Int {
    if choices.isRepeating {
      guard entries.count > 1 else { return 0 }
      let kind: Choice.Kind = entries.contains { $0.task == last } ? .preemption : .order
      let state = tracker?.state(ready: entries.map(\.task), last: last, preemptions: preemptions)
      return place(ofRank: Int(choices.repeated(kind, below: entries.count, in: state)))
    }
    let index: Int
    switch schedule {
    case .uniform, .replay: index = entries.count == 1 ? 0 : choices.draw(below: entries.count)
    case .pct:
      if changePoints.contains(step), let first = highest(&choices) { demote(entries[first].task) }
      index = highest(&choices) ?? 0
    }
    note(index, &choices)
    return index
  }

  private mutating func chooseByGuide(_ choices: inout ChoiceStream) -> Int {
    let entries = self.entries
    let task = choices.guided { task in entries.contains { $0.task == task } }
    let places = entries.indices.filter { entries[$0].task == task }
    let index = places.min { entries[$0].number < entries[$1].number } ?? place(ofRank: 0)
    note(index, &choices)
    return index
  }

  private func note(_ index: Int, _ choices: inout ChoiceStream) {
    guard choices.isRecording, entries.count > 1 else { return }
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

  private mutating func highest(_ choices: inout ChoiceStream) -> Int? {
    var best: (index: Int, priority: UInt64)?
    for index in entries.indices {
      let priority = priority(of: entries[index].task, &choices)
      if best.map({ priority > $0.priority }) ?? true { best = (index, priority) }
    }
    return best?.index
  }

  private mutating func priority(of task: Int, _ choices: inout ChoiceStream) -> UInt64 {
    while priorities.count <= task { priorities.append(Priority(value: 0, isDrawn: false)) }
    if !priorities[task].isDrawn {
      priorities[task] = Priority(value: (1 << 32) | (choices.scheduleBits() >> 32), isDrawn: true)
    }
    return priorities[task].value
  }

  private mutating func demote(_ task: Int) {
    nextLow -= 1
    priorities[task].value = nextLow
  }

  private mutating func countSpin(of task: Int) {
    guard spinning.task == task, entries.count > 1 else {
      spinning = (task, 0)
      return
    }
    spinning.steps += 1
    guard spinning.steps > Self.spinLimit else { return }
    spinning.steps = 0
    demote(task)
  }
}
