import Stoic

/// The ledger of one run.
final class SimulationLedger: Ledger {
  private struct State {
    var entries: [Int: (entry: LedgerEntry, task: Int?)] = [:]
    var nextID = 0
  }

  private let state = Lock(State())
  private let executor: SimulationExecutor

  init(executor: SimulationExecutor) {
    self.executor = executor
  }

  func enter(_ entry: LedgerEntry) -> Int {
    let count = entry.count.map { " (\($0))" } ?? ""
    let verb = entry.kind == "wait" ? "waits" : "takes a \(entry.kind) of"
    executor.tell("\(verb) \(entry.detail)\(count)")
    let task = executor.running
    return state.withLock { state in
      state.nextID += 1
      state.entries[state.nextID] = (entry, task)
      return state.nextID
    }
  }

  func leave(_ id: Int) {
    guard let entry = state.withLock({ $0.entries.removeValue(forKey: id)?.entry }) else { return }
    executor.tell(
      entry.kind == "wait"
        ? "waits no more \(entry.detail)" : "gives back the \(entry.kind) of \(entry.detail)")
  }

  func reach(_ place: String) { SimulationRun.current?.reach(place) }

  func name(_ task: String) { executor.nameNext(task) }

  func tell(_ what: @autoclosure () -> String) { executor.tell(what()) }

  func watching(_ sink: any EventSink) -> any EventSink { SimulationRun.current?.watching(sink) ?? sink }

  /// What was entered and not left, oldest first.
  var outstanding: [LedgerEntry] {
    state.withLock { state in state.entries.sorted { $0.key < $1.key }.map(\.value.entry) }
  }

  /// The tasks that entered something that was not left.
  var holders: Set<Int> { state.withLock { Set($0.entries.values.compactMap(\.task)) } }
}

extension LedgerEntry: CustomStringConvertible {
  package var description: String {
    "\(kind) \(detail)" + (task.map { ", by the task \"\($0)\"" } ?? "")
  }
}
