import Stoic

/// A number below a bound, which a simulated run chooses: which fault comes, who is cancelled, how long something takes.
///
/// In a sweep it is drawn, and its seed repeats it; a shrunk run has zero where that fails as well, so let zero be the plainest
/// case; ``simulateAll(preemptions:limit:stepLimit:_:)`` tries every number. Outside of a simulation it is drawn from `Ambient.random`.
///
/// - Parameters:
///   - bound: how many numbers there are; less than 1 counts as 1.
///   - fileID: where it is picked; a timeline tells the place, as only the code there knows what the number decides.
///   - line: the same.
public func pick(below bound: Int, fileID: StaticString = #fileID, line: Int = #line) -> Int {
  let bound = max(1, bound)
  if let run = SimulationRun.current {
    return run.executor.pick(
      below: bound, at: "\("\(fileID)".split(separator: "/").last ?? ""):\(line)")
  }
  return Int(Ambient.random.next().multipliedFullWidth(by: UInt64(bound)).high)
}
