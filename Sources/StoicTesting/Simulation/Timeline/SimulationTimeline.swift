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
    /// When the clock's timer fired.
    var firing = RunTrace.Firing.idle
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
  /// The tasks that wait for ever.
  let stuck: Set<Int>
  /// How it ended, in a line.
  let end: String?

  /// An empty timeline.
  init() {
    (rows, names, stuck, end) = ([], [:], [], nil)
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
          // A timer that fires in between keeps nobody from going on.
          let before = rows.last { $0.task != nil }?.task.flatMap { isReady.contains($0) ? $0 : nil }
          rows.append(Row(time: time, task: task, steps: 1, preempted: before, breakers: breakers))
        }
      case .readied(let task):
        isReady.insert(task)
        if let last = rows.indices.last, rows[last].task != task { rows[last].woken.append(task) }
      case .fired(let timer, let instant, let firing):
        time = instant
        var row = Row(time: time, task: nil, firing: firing, breakers: breakers)
        let owner = owners["timer \(timer)"].map { " of " + Self.name($0, course.names) } ?? ""
        row.deeds = ["timer \(timer)\(owner) fires"]
        rows.append(row)
      case .did(let task, let what):
        if let timer = what.firstMatch(of: #/^sets (timer \d+)/#) { owners[String(timer.1)] = task }
        if let last = rows.indices.last { rows[last].deeds.append(what) }
      case .attempted(let task, let number):
        guard let last = rows.indices.last, rows[last].task == task else { break }
        if rows[last].attempt ?? number != number {
          rows.append(Row(time: time, task: task, steps: 1, breakers: breakers))
        }
        rows[rows.count - 1].attempt = number
      case .turned(let label, let state):
        breakers[label] = state
        if let last = rows.indices.last { rows[last].breakers = breakers }
      }
    }
    self.rows = rows
    names = course.names
    stuck = course.stuck
    self.end = end.map(Self.oneLine)
  }

  /// A message whose lines are items, in one line.
  private static func oneLine(_ message: String) -> String {
    let lines = message.split(whereSeparator: \.isNewline).map { line in
      String(line.drop { " -".contains($0) })
    }
    guard let first = lines.first else { return "" }
    return first.hasSuffix(":")
      ? first + " " + lines.dropFirst().joined(separator: "; ") : lines.joined(separator: "; ")
  }

  /// The names of the tasks that ran, by number, and their lanes.
  var lanes: [Int] { Set(rows.compactMap(\.task) + rows.flatMap(\.woken)).sorted() }

  static func name(_ task: Int, _ names: [Int: String]) -> String { names[task] ?? "task \(task)" }

  func name(_ task: Int) -> String { Self.name(task, names) }
}

extension SimulationTimeline: CustomStringConvertible {
  /// The same as ``text``.
  public var description: String { text }
}
