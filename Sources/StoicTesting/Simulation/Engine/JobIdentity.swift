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
  /// The first task's number of the runtime, from which the others are counted.
  private var base: UInt64 = 0
  /// By the distance from ``base``: the runtime counts up, so a run's tasks lie close together.
  private var near: [Int32] = []
  /// All others: tasks older than the first, or far away because much else goes on in the process.
  private var far: [UInt64: Int] = [:]

  /// How many tasks were seen.
  private var count = 0

  private static let nearLimit: UInt64 = 1 << 16

  /// The task of a job.
  ///
  /// A job that is none of a task's, such as the drain of an actor, counts as one of the task that caused it:
  /// else every yield would look like a new task.
  mutating func task(of job: UnownedJob, causedBy current: Int) -> Int {
    guard runtimeFlags(job) & 0xFF == 0 else { return max(0, current) }
    let id = runtimeTaskID(job)
    if count == 0 { base = id }
    let distance = id &- base
    guard distance < Self.nearLimit else { return farTask(id) }
    let index = Int(distance)
    if index >= near.count { near.append(contentsOf: repeatElement(-1, count: index + 16 - near.count)) }
    if near[index] < 0 {
      near[index] = Int32(count)
      count += 1
    }
    return Int(near[index])
  }

  private mutating func farTask(_ id: UInt64) -> Int {
    if let known = far[id] { return known }
    defer { count += 1 }
    far[id] = count
    return count
  }
}
