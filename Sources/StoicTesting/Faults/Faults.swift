import Stoic

/// Makes things go wrong in a test's fakes: a mix of failures, silence and delay, drawn for each call.
///
/// One object serves any number of fakes, and a script of HTTP answers as well, so that all of a test's faults come from
/// one place, at one rate, and stop together:
///
/// ```swift
/// import Stoic
/// import StoicTesting
///
/// struct Store: Sendable {
///   struct Down: Error {}
///   let faults: Faults
///
///   func read(_ key: String) async throws -> String {
///     try await faults.meet(Down())
///     return "value of \(key)"
///   }
/// }
/// ```
///
/// All draws come from `Ambient.random`: inside `simulate` they are choices of the run, which its seed repeats and which a
/// shrinking makes zero. A draw of zero is no fault and the shortest delay. In `simulateAll` there are none, since every
/// draw is zero there: use ``pick(below:)`` for what is to be tried.
///
/// Safe to use from any task.
public final class Faults: Sendable {
  private struct State {
    var isStopped = false
    var met = 0
  }

  private let mix: FaultMix
  private let state = Lock(State())

  /// Makes a mix.
  ///
  /// - Parameters:
  ///   - failure: the share of calls that fail; a NaN and less than 0 count as 0, more than 1 as 1.
  ///   - hang: the share of calls that never end, in the same way.
  ///   - delay: by how much a call is late, each time within the range as likely as the others; negative counts as zero.
  public init(failure: Double = 0, hang: Double = 0, delay: ClosedRange<Duration> = .zero ... .zero) {
    mix = FaultMix(failure: failure, hang: hang, delay: delay)
  }

  /// The share of calls that fail, within 0...1.
  public var failure: Double { mix.failure }
  /// The share of calls that never end, within 0...1; where both add up to more than 1, failures come first.
  public var hang: Double { mix.hang }
  /// By how much a call is late, on the ambient clock, faults included.
  public var delay: ClosedRange<Duration> { mix.delay }

  /// How many calls have failed or never ended.
  public var met: Int { state.withLock { $0.met } }

  /// Lets nothing go wrong from now on, delays included: what a test waits for after the faults has to come then.
  ///
  /// Calls that hang already go on hanging.
  public func stop() {
    state.withLock { $0.isStopped = true }
  }

  /// Lets a call go wrong, or not: waits, fails, never ends, or returns.
  ///
  /// - Parameter error: what a failure throws.
  /// - Throws: the error, or `CancellationError` when the task is cancelled in the wait.
  public func meet(_ error: @autoclosure () -> any Error) async throws {
    guard !state.withLock({ $0.isStopped }) else { return try Task.checkCancellation() }
    let (fault, wait) = mix.draw(Ambient.random)
    if wait > .zero { try await Ambient.sleep(for: wait) }
    guard let fault else { return }
    state.withLock { $0.met += 1 }
    if fault == .hang { try await Ambient.suspend() }
    throw error()
  }
}
