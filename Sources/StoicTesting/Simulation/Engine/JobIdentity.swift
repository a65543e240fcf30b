/// The runtime's number of the task that a job belongs to.
@_silgen_name("swift_task_getJobTaskId")
private func runtimeTaskID(_ job: UnownedJob) -> UInt64

/// The runtime's flags of a job; the low byte is its kind, zero for a task.
@_silgen_name("swift_task_getJobFlags")
private func runtimeFlags(_ job: UnownedJob) -> UInt

/// Numbers the tasks of a run in the order in which they are first seen, so that a run and its repetition agree on them.
///
/// The runtime's own numbers go on counting from run to run, and addresses are used again.
struct JobIdentity {
  private var ordinals: [UInt64: Int] = [:]

  /// How many tasks were seen.
  var count: Int { ordinals.count }

  /// The task of a job.
  ///
  /// A job that is none of a task's, such as the drain of an actor, counts as one of the task that caused it:
  /// else every yield would look like a new task.
  mutating func task(of job: UnownedJob, causedBy current: Int) -> Int {
    guard runtimeFlags(job) & 0xFF == 0 else { return max(0, current) }
    let id = runtimeTaskID(job)
    if let known = ordinals[id] { return known }
    let ordinal = ordinals.count
    ordinals[id] = ordinal
    return ordinal
  }
}
