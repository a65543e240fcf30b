import Stoic

/// What happened in one run of a simulation, for a reader who did not write the test.
///
/// A row is what one task did until another one ran: the virtual time; in the margin the state of each breaker that changed and
/// the attempt of a retry that the row is part of; a lane for each task, the task's name, and what it did that the simulation
/// knows of: what it took and gave back, what it waited for, timers, numbers drawn, events recorded, marks reached, whom it
/// woke, and whom it kept from going on.
public struct SimulationTimeline: Sendable, Hashable {
  struct Row: Sendable, Hashable {
    var time: Duration
    /// Nil for the clock.
    var task: Int?
    var steps = 0
    /// The task that could have gone on in its place.
    var preempted: Int?
    var isEarly = false
    var deeds: [String] = []
    var woken: [Int] = []
    /// The attempt of a retry that it is part of.
    var attempt: Int?
    /// The state after it of each breaker that has changed, by label.
    var breakers: [String: CircuitBreaker.State] = [:]
  }

  let rows: [Row]
  /// By number; tasks without a name have none.
  let names: [Int: String]
  /// How it ended, in a line.
  let end: String?

  /// The text shows so many lines of a long run's beginning, and so many of its end.
  private static let shown = (first: 9, last: 28)
  /// A row tells so much at the most.
  private static let length = 150

  /// An empty timeline.
  init() {
    (rows, names, end) = ([], [:], nil)
  }

  init(_ course: SimulationRun.Course, end: String?) {
    var rows: [Row] = []
    var isReady: Set<Int> = []
    var time = Duration.zero
    var owners: [String: Int] = [:]
    var breakers: [String: CircuitBreaker.State] = [:]
    for entry in course.trace {
      switch entry {
      case .ran(let task, _):
        isReady.remove(task)
        if let last = rows.indices.last, rows[last].task == task {
          rows[last].steps += 1
        } else {
          let before = rows.last?.task.flatMap { isReady.contains($0) ? $0 : nil }
          rows.append(Row(time: time, task: task, steps: 1, preempted: before, breakers: breakers))
        }
      case .readied(let task):
        isReady.insert(task)
        if let last = rows.indices.last, rows[last].task != task { rows[last].woken.append(task) }
      case .fired(let timer, let instant, let isEarly):
        time = instant
        var row = Row(time: time, task: nil, isEarly: isEarly, breakers: breakers)
        let owner = owners["timer \(timer)"].map { " of " + Self.name($0, course.names) } ?? ""
        row.deeds = ["timer \(timer)\(owner) fires"]
        rows.append(row)
      case .did(let task, let what):
        if let timer = what.firstMatch(of: #/^sets (timer \d+)/#) { owners[String(timer.1)] = task }
        if let last = rows.indices.last { rows[last].deeds.append(what) }
      case .attempted(let task, let number):
        if let last = rows.indices.last, rows[last].task == task { rows[last].attempt = number }
      case .turned(let label, let state):
        breakers[label] = state
        if let last = rows.indices.last { rows[last].breakers = breakers }
      }
    }
    self.rows = rows
    names = course.names
    self.end = end.map { String($0.prefix { !$0.isNewline }) }
  }

  /// The names of the tasks that ran, by number, and their lanes.
  var lanes: [Int] { Set(rows.compactMap(\.task) + rows.flatMap(\.woken)).sorted() }

  static func name(_ task: Int, _ names: [Int: String]) -> String { names[task] ?? "task \(task)" }

  func name(_ task: Int) -> String { Self.name(task, names) }

  /// A row in words.
  func words(_ row: Row) -> String {
    var parts: [String] = []
    if let other = row.preempted { parts.append("goes before \(name(other)), which could go on") }
    for deed in row.deeds where parts.last != deed { parts.append(deed) }
    var woken: [Int] = []
    for task in row.woken where !woken.contains(task) { woken.append(task) }
    if !woken.isEmpty { parts.append("makes runnable: " + woken.map(name).joined(separator: ", ")) }
    if row.isEarly { parts.append("early, while work is still runnable") }
    if parts.isEmpty { parts.append(row.steps > 1 ? "runs \(row.steps) steps" : "runs") }
    let text = (row.task.map { name($0) + ": " } ?? "the clock: ") + parts.joined(separator: "; ")
    return cut(text)
  }

  /// Rows of one instant in which tasks did nothing but run and wake others are told as one, each in a few words.
  private var folds: [Range<Int>] {
    var folds: [Range<Int>] = []
    for index in rows.indices {
      if let last = folds.last, isPlain(index), isPlain(last.lowerBound),
        rows[index].time == rows[last.lowerBound].time
      {
        folds[folds.count - 1] = last.lowerBound..<index + 1
      } else {
        folds.append(index..<index + 1)
      }
    }
    return folds
  }

  private func isPlain(_ index: Int) -> Bool {
    rows[index].task != nil && rows[index].deeds.isEmpty && rows[index].preempted == nil
  }

  private func words(_ fold: Range<Int>) -> String {
    guard fold.count > 1 else { return words(rows[fold.lowerBound]) }
    let parts = fold.map { index in
      let woken = rows[index].woken.map(name).joined(separator: ", ")
      return (rows[index].task.map(name) ?? "") + (woken.isEmpty ? "" : " → \(woken)")
    }
    return cut("run: " + parts.joined(separator: "; "))
  }

  private func cut(_ text: String) -> String {
    text.count > Self.length ? text.prefix(Self.length - 1) + "…" : text
  }

  /// The timeline as text, of at most 40 lines; of a long run the beginning and the end.
  public var text: String {
    guard !rows.isEmpty else { return "" }
    let (lanes, folds) = (lanes, folds)
    let times = folds.map { rows[$0.lowerBound].time.text }
    let width = times.map(\.count).max() ?? 0
    let margins = margins(folds)
    var lines = folds.indices.map { index in
      let time = index > 0 && times[index] == times[index - 1] ? "" : times[index]
      let picture = lanes.count <= 20 ? lanes.map { mark(of: $0, in: folds[index]) }.joined() + "  " : ""
      return "  " + String(repeating: " ", count: width - time.count) + time + "  " + margins[index] + picture
        + words(folds[index])
    }
    let hidden = lines.count - Self.shown.first - Self.shown.last
    if hidden > 1 {
      lines.replaceSubrange(
        Self.shown.first..<Self.shown.first + hidden, with: ["  … \(hidden) rows left out"])
    }
    let head =
      "  time, \(marginHead)\(lanes.count) tasks (● runs, ○ can run, │ waits or has not ended, → wakes), what was done:"
    return ([head] + lines + (end.map { ["  ✘ \($0)"] } ?? [])).joined(separator: "\n")
  }

  /// A task's lane in some rows.
  private func mark(of task: Int, in fold: Range<Int>) -> String {
    if rows[fold].contains(where: { $0.task == task }) { return "●" }
    if rows[fold].contains(where: { $0.woken.contains(task) }) { return "○" }
    let isInvolved = { (row: Row) in row.task == task || row.woken.contains(task) }
    let (before, after) = (rows[..<fold.lowerBound], rows[fold.upperBound...])
    return before.contains(where: isInvolved) && after.contains(where: isInvolved) ? "│" : " "
  }
}

extension SimulationTimeline: CustomStringConvertible {
  /// The same as ``text``.
  public var description: String { text }
}
