import Dispatch
import Foundation
import Stoic

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One exchange on its way: the caller who waits for it, the platform's task, and what has come so far.
///
/// It ends once, by whatever comes first: the platform's completion, the limit, a redirect or challenge, the timeout,
/// the caller's cancellation. The caller resumes at that moment; the platform's task is cancelled after it, and the flight
/// stays registered until the platform has completed the task.
final class Flight: Sendable {
  typealias Ending = Result<HTTPResponse, any Error>

  private struct State {
    var ending: Ending?
    var received: ReceivedResponse
    var caller: CheckedContinuation<HTTPResponse, any Error>?
    var timer: ScheduledTimer?
    var task: URLSessionTask?
    /// Kept until the platform has completed the task.
    var session: LeasedSession?
  }

  /// Cancelling takes the platform's work queue, on which it may have to wait for a delegate: never on a caller's thread.
  private static let cancelling = DispatchQueue(label: "StoicHTTP.URLSessionTransport.cancel")

  private let state: Lock<State>
  /// Whether the platform has completed the task; held while the task is cancelled.
  ///
  /// The platform forgets a task when its completion callback returns, and traps when a cancellation that began before
  /// looks for it after. So a cancellation and a completion wait for each other.
  private let isCompleted = Lock(false)

  init(_ request: TransportRequest, limit: Int) {
    state = Lock(State(received: ReceivedResponse(to: request, limit: limit)))
  }

  /// Takes the caller aboard; resumes it at once, and says false, when the flight has ended already.
  func board(_ caller: CheckedContinuation<HTTPResponse, any Error>) -> Bool {
    let ending = state.withLock { state in
      if state.ending == nil { state.caller = caller }
      return state.ending
    }
    if let ending { caller.resume(with: ending) }
    return ending == nil
  }

  /// Ends the flight when a time on the ambient clock has passed.
  func end(after timeout: Duration) {
    let clock = Ambient.clock
    let timer = clock.schedule(at: clock.now.advanced(by: timeout)) { [weak self] in
      self?.end(with: .failure(TransportError(code: .timedOut, mayHaveActed: true)))
    }
    let isLate = state.withLock { state in
      if state.ending != nil { return true }
      state.timer = timer
      return false
    }
    if isLate { timer.cancel() }
  }

  /// Starts the platform's task; cancels it instead when the flight has ended already.
  func start(_ task: URLSessionTask, on session: LeasedSession) {
    let isLate = state.withLock { state in
      state.task = task
      state.session = session
      return state.ending != nil
    }
    if isLate { cancel(task) } else { task.resume() }
  }

  /// Ends the flight, if nothing has ended it yet: resumes the caller and cancels the platform's task.
  func end(with ending: Ending) {
    guard let task = close(with: ending) else { return }
    cancel(task)
  }

  /// Takes a step of the response; ends the flight when the step settles how.
  func receive(_ step: (inout ReceivedResponse) -> Result<HTTPResponse, TransportError>?) {
    let ending = state.withLock { state in
      state.ending == nil ? step(&state.received) : nil
    }
    if let ending { end(with: ending.mapError { $0 }) }
  }

  /// From here on the platform's task is not cancelled; waits while it is being cancelled.
  func markCompleted() {
    isCompleted.withLock { $0 = true }
  }

  /// The platform has completed its task.
  ///
  /// - Parameters:
  ///   - error: why there is no whole response; nil where there is.
  ///   - response: the last head that the platform knows.
  func complete(_ error: (any Error)?, response: URLResponse?) {
    let ending: Ending =
      if let error {
        .failure(TransportError(ofPlatform: error))
      } else {
        state.withLock { $0.received.end(response as? HTTPURLResponse) }.mapError { $0 }
      }
    _ = close(with: ending)
    state.withLock { state in
      state.task = nil
      state.session = nil
    }
  }

  /// Resumes the caller, unless the flight has ended; returns the platform's task if there is one to be cancelled.
  private func close(with ending: Ending) -> URLSessionTask? {
    let closed = state.withLock { state -> State? in
      guard state.ending == nil else { return nil }
      let before = state
      state.ending = ending
      state.caller = nil
      state.timer = nil
      state.received.discard()
      return before
    }
    closed?.timer?.cancel()
    closed?.caller?.resume(with: ending)
    return closed?.task
  }

  private func cancel(_ task: URLSessionTask) {
    Self.cancelling.async { [self] in
      isCompleted.withLock { isCompleted in
        if !isCompleted { task.cancel() }
      }
    }
  }
}
