import Stoic

/// What happened in one run of a simulation, for a reader who did not write the test.
///
/// A row is what one task did until another one ran: the virtual time, a lane for each task, the task's name, and what it did
/// that the simulation knows of: what it took and gave back, what it waited for, timers, numbers drawn, events recorded,
/// marks reached, whom it woke, and whom it kept from going on.
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
  }

  let rows: [Row]
  /// By number; tasks without a name have none.
  let names: [Int: String]
  /// How it ended, in a line.
  let end: String?

  /// The text shows so many rows of a long run's beginning, and so many of its end.
  private static let shown = (first: 8, last: 28)
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
    for entry in course.trace {
      switch entry {
      case .ran(let task, _):
        isReady.remove(task)
        if let last = rows.indices.last, rows[last].task == task {
          rows[last].steps += 1
        } else {
          let before = rows.last?.task.flatMap { isReady.contains($0) ? $0 : nil }
          rows.append(Row(time: time, task: task, steps: 1, preempted: before))
        }
      case .readied(let task):
        isReady.insert(task)
        if let last = rows.indices.last, rows[last].task != task { rows[last].woken.append(task) }
      case .fired(let timer, let instant, let isEarly):
        time = instant
        var row = Row(time: time, task: nil, isEarly: isEarly)
        let owner = owners["timer \(timer)"].map { " of " + Self.name($0, course.names) } ?? ""
        row.deeds = ["timer \(timer)\(owner) fires"]
        rows.append(row)
      case .did(let task, let what):
        if let timer = what.firstMatch(of: #/^sets (timer \d+)/#) { owners[String(timer.1)] = task }
        if let last = rows.indices.last { rows[last].deeds.append(what) }
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
    return text.count > Self.length ? text.prefix(Self.length - 1) + "…" : text
  }

  /// The timeline as text, of at most 40 lines; of a long run the beginning and the end.
  public var text: String {
    guard !rows.isEmpty else { return "" }
    let lanes = lanes
    let times = rows.map(\.time.text)
    let width = times.map(\.count).max() ?? 0
    var lines = rows.indices.map { index in
      let margin = index > 0 && times[index] == times[index - 1] ? "" : times[index]
      let picture = lanes.count <= 20 ? lanes.map { mark(of: $0, in: index) }.joined() + "  " : ""
      return "  " + String(repeating: " ", count: width - margin.count) + margin + "  " + picture
        + words(rows[index])
    }
    let hidden = lines.count - Self.shown.first - Self.shown.last
    if hidden > 1 {
      lines.replaceSubrange(
        Self.shown.first..<Self.shown.first + hidden, with: ["  … \(hidden) rows left out"])
    }
    let head = "  time, \(lanes.count) tasks (● runs, ○ can run, │ waits or has not ended), what was done:"
    return ([head] + lines + (end.map { ["  ✘ \($0)"] } ?? [])).joined(separator: "\n")
  }

  /// A task's lane in a row.
  private func mark(of task: Int, in index: Int) -> String {
    if rows[index].task == task { return "●" }
    if rows[index].woken.contains(task) { return "○" }
    let isInvolved = { (row: Row) in row.task == task || row.woken.contains(task) }
    return rows[..<index].contains(where: isInvolved) && rows[index...].contains(where: isInvolved)
      ? "│" : " "
  }
}

extension SimulationTimeline: CustomStringConvertible {
  /// The same as ``text``.
  public var description: String { text }
}
