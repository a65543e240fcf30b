import Foundation

/// Runs a body many times, each time in virtual time and in another order of its tasks, and throws what goes wrong with
/// the seed that brings it back.
///
/// # The rules
///
/// - **One thread, one step at a time.** The body, its child tasks and its actors run on one thread. At every point
///   where a task suspends, the schedule picks which task runs next: by the seed, so that the same seed is the same run.
/// - **Virtual time.** `Ambient.clock` is the run's own clock. It moves only when nothing can run, straight to the next
///   timer: an hour of backoff costs nothing. Timers of one instant fire in any order, and each at any point of the work that the
///   others have begun. With `earlyTimers` it may also move while work is still runnable, as it does
///   on a loaded machine; then do not assert exact times.
/// - **Inside the simulation**: `async let`, task groups, actors, continuations, streams, `Task.yield`, task-locals,
///   `withDeadline`, `retry`, everything of Stoic; `Ambient.sleep` for sleeping, ``Ambient/task(name:_:)`` for unstructured
///   tasks, `Ambient.random` for random numbers.
/// - **Outside**, and found out as an escape: `Task { }`, `Task.detached`, `Task.sleep`, a hop to the main actor, a
///   continuation resumed by another thread. (From a test that is itself on the main actor a hop there never comes back,
///   since `simulate` holds it: that is a deadlock, and called one. What is sent to the main actor and waited for by nobody is not
///   found out, nor is a plain task that an actor starts for itself and that never suspends.) Real clocks, `Int.random` and the
///   order of a `Set` or `Dictionary` make runs differ: runs are made twice now and then, and their course and end compared.
/// - **At the end** of a run nothing may be left: no task, no timer, no request, nothing that was taken and not given back.
///
/// # What can go wrong
///
/// See ``SimulationFailure/Reason``. A failure is shrunk, and says what happened, how to repeat it, and who did
/// what in which order; the environment variables
/// `STOIC_SEED`, `STOIC_SEEDS` and `STOIC_SCHEDULE` choose what runs without a change of the code.
///
/// # Example: an update that gets lost
///
/// Two tasks add one to a counter, with a suspension in the middle. In about three of four orders one addition is lost:
///
/// ```swift
/// import Stoic
/// import StoicTesting
/// import Testing
///
/// @Test("Two additions make two")
/// func additions() throws {
///   try simulate(seeds: 0..<1_000) {
///     let counter = Counter()
///     async let first: Void = counter.addOne()
///     async let second: Void = counter.addOne()
///     _ = await (first, second)
///     #expect(await counter.value == 2)
///   }
/// }
///
/// actor Counter {
///   private(set) var value = 0
///
///   func addOne() async {
///     let before = value
///     await Task.yield()  // an actor lets others in here
///     value = before + 1
///   }
/// }
/// ```
///
/// # Example: backoff in virtual time
///
/// ```swift
/// import Stoic
/// import StoicTesting
/// import Testing
///
/// @Test("Three attempts with waits of 0.2 and 0.4 seconds end after 0.6")
/// func backoff() throws {
///   try simulate(seeds: 0..<100) {
///     struct Down: Error {}
///     let start = Ambient.clock.now
///     await #expect(throws: Down.self) {
///       try await retry(RetrySchedule(maxAttempts: 3, jitter: .none)) { _ in throw Down() }
///     }
///     #expect(start.duration(to: Ambient.clock.now) == .milliseconds(600))
///   }
/// }
/// ```
///
/// # Example: cancellation at any point
///
/// ```swift
/// import Stoic
/// import StoicTesting
/// import Testing
///
/// @Test("Whenever the caller leaves, the connection is closed")
/// func leaving() throws {
///   try simulate(seeds: 0..<1_000) {
///     let pool = Pool()
///     let caller = Ambient.task {
///       try await pool.withConnection { try await Ambient.sleep(for: .seconds(3)) }
///     }
///     try await Ambient.sleep(for: .seconds(Ambient.random.next() % 5))
///     caller.cancel()
///     _ = await caller.result
///     #expect(await pool.open == 0)
///   }
/// }
///
/// actor Pool {
///   private(set) var open = 0
///
///   func withConnection(_ body: () async throws -> Void) async throws {
///     open += 1
///     defer { open -= 1 }
///     try await body()
///   }
/// }
/// ```
///
/// - Parameters:
///   - seeds: one run a seed. The seed picks one of the schedules, too. None at all is a failure, unless the environment says so.
///   - schedules: how the next task is picked; none at all is a failure, too.
///   - earlyTimers: whether time may pass while work is runnable.
///   - stepLimit: how many steps and timers a run may take.
///   - marks: what the sweep has to reach, each at least once: names given to ``mark(_:)``, or of events, or of the rare
///     places that are listed there. Not checked where the environment chooses the runs.
///   - body: the work; it inherits the caller's task-local values, and runs once per seed or oftener.
/// - Returns: what was run. On a terminal a long sweep shows a line of progress.
/// - Throws: ``SimulationFailure`` for the first run that fails. In Swift Testing, failed expectations in the body are
///   shown as known issues, and the failure thrown here is what fails the test.
@discardableResult
public func simulate(
  seeds: Range<Int> = 0..<100, schedules: [SimulationSchedule] = .portfolio, earlyTimers: Bool = false,
  stepLimit: Int = 50_000, marks: [String] = [], _ body: @escaping @Sendable () async throws -> Void
) throws -> SimulationReport {
  var settings = SweepSettings(
    seeds: seeds, schedules: schedules, earlyTimers: earlyTimers, stepLimit: max(1, stepLimit), marks: marks)
  try settings.apply(ProcessInfo.processInfo.environment)
  return try Sweep(settings, body).run()
}
