import Stoic

/// A number below a bound, which a simulated run chooses: which fault comes, who is cancelled, how long something takes.
///
/// In a sweep it is drawn, and its seed repeats it; a shrunk run has zero where that fails as well, so let zero be the plainest
/// case; ``simulateAll(preemptions:limit:stepLimit:_:)`` tries every number. Outside of a simulation it is drawn from `Ambient.random`.
///
/// - Parameter bound: how many numbers there are; less than 1 counts as 1.
public func pick(below bound: Int) -> Int {
  let bound = max(1, bound)
  if let run = SimulationRun.current { return run.executor.pick(below: bound) }
  return Int(Ambient.random.next().multipliedFullWidth(by: UInt64(bound)).high)
}
