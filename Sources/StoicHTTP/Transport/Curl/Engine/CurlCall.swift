#if os(Linux) || os(macOS)
import Foundation
import Stoic

/// One exchange as its caller and the engine share it: it ends once, by whatever comes first.
///
/// The caller resumes at that moment, and the engine cleans up after it. Whether the request was sent is settled under
/// the same lock as the end: what ended unsent is never sent afterwards.
final class CurlCall: Sendable {
  /// What the caller waits for.
  enum Delivery: Sendable {
    /// The whole response, its body at most so long.
    case whole(limit: Int)
    /// The head; the body then comes by the stream.
    case stream(BodyStream)
  }

  /// A response as it came.
  struct Answer: Sendable {
    var status: Int
    /// The lines of the header section after the first.
    var fields: [UInt8]
    var body: [UInt8] = []
    var isTruncated = false
  }

  /// How an exchange ends.
  enum Ending: Sendable {
    case answered(Answer)
    case cancelled
    /// The server may have acted if the request was sent.
    case failed(URLError.Code)
  }

  private struct State {
    var end: Result<Answer, any Error>?
    var caller: CheckedContinuation<Answer, any Error>?
    var timer: ScheduledTimer?
    var sends = 0
  }

  let message: CurlMessage
  let delivery: Delivery
  private let state = Lock(State())

  init(_ message: CurlMessage, _ delivery: Delivery) {
    self.message = message
    self.delivery = delivery
  }

  var hasEnded: Bool { state.withLock { $0.end != nil } }

  /// Takes the caller aboard; resumes it at once, and says false, when the exchange has ended already.
  func board(_ caller: CheckedContinuation<Answer, any Error>) -> Bool {
    let end = state.withLock { state in
      if state.end == nil { state.caller = caller }
      return state.end
    }
    if let end { caller.resume(with: end) }
    return end == nil
  }

  /// Ends the exchange when a time on the ambient clock has passed.
  func end(after timeout: Duration, on engine: CurlEngine) {
    let clock = Ambient.clock
    let timer = clock.schedule(at: clock.now.advanced(by: timeout)) { [weak self, weak engine] in
      if let self { engine?.end(self, as: .failed(.timedOut)) }
    }
    let isLate = state.withLock { state in
      if state.end != nil { return true }
      state.timer = timer
      return false
    }
    if isLate { timer.cancel() }
  }

  /// How many times the request was sent.
  var sends: Int { state.withLock { $0.sends } }
  /// How many of them were not the first.
  var repeats: Int { max(0, sends - 1) }

  /// Whether the request may be sent now; from then on it counts as sent.
  ///
  /// - Parameter again: whether it may be although it was before.
  func maySend(again: Bool) -> Bool {
    state.withLock { state in
      guard state.end == nil, state.sends == 0 || again else { return false }
      state.sends += 1
      return true
    }
  }

  /// Takes the last sending back, of which nothing came.
  func takeSendBack() {
    state.withLock { $0.sends = max(0, $0.sends - 1) }
  }

  /// Hands a stream's caller the head.
  func begin(_ head: Answer) {
    let caller = state.withLock { state in
      let caller = state.caller
      state.caller = nil
      return caller
    }
    caller?.resume(returning: head)
  }

  /// Ends the exchange, unless it has ended; says whether it did.
  ///
  /// - Parameter isSent: whether the request is known to have been sent by other signs.
  @discardableResult
  func end(as ending: Ending, isSent: Bool = false) -> Bool {
    let closed = state.withLock { state -> (end: Result<Answer, any Error>, before: State)? in
      guard state.end == nil else { return nil }
      let before = state
      let end = Self.result(of: ending, isSent: isSent || state.sends > 0, repeats: max(0, state.sends - 1))
      // A body is the caller's alone.
      state.end = end.map { Answer(status: $0.status, fields: []) }
      state.caller = nil
      state.timer = nil
      return (end, before)
    }
    guard let closed else { return false }
    closed.before.timer?.cancel()
    closed.before.caller?.resume(with: closed.end)
    if case .stream(let stream) = delivery { stream.finish(closed.end.failureOfBody) }
    return true
  }

  private static func result(of ending: Ending, isSent: Bool, repeats: Int) -> Result<Answer, any Error> {
    switch ending {
    case .answered(let answer): return .success(answer)
    case .cancelled: return .failure(CancellationError())
    case .failed(let code):
      var error = TransportError(code: code, mayHaveActed: isSent)
      error.repeats = repeats
      return .failure(error)
    }
  }
}

extension Result<CurlCall.Answer, any Error> {
  /// Why a body is not whole; nil where it is.
  fileprivate var failureOfBody: (any Error)? {
    switch self {
    case .failure(let error): error
    case .success(let answer):
      answer.isTruncated ? TransportError(code: .dataLengthExceedsMaximum, mayHaveActed: true) : nil
    }
  }
}
#endif
