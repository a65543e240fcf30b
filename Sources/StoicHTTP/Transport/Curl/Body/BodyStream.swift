#if os(Linux) || os(macOS)
import Foundation
import Stoic

/// The pieces of a body on their way from the engine to one reader, who sets the pace.
///
/// While more wait than the high-water mark nothing is read from the connection, so that the server has to wait too.
final class BodyStream: Sendable {
  private struct State {
    var bytes: [UInt8] = []
    var received = 0
    /// Whether the engine was told to come again.
    var isFull = false
    /// How it has ended: nil in nil for well.
    var end: (any Error)??
    var reader: CheckedContinuation<Void, Never>?
    /// The most that ever waited.
    var peak = 0
  }

  /// What a reader does next.
  enum Turn {
    case piece([UInt8], wasFull: Bool)
    case end((any Error)?)
    case wait
  }

  let limit: Int
  private let highWater: Int
  private let state = Lock(State())

  /// - Parameters:
  ///   - limit: the most bytes of the whole body; more of them is a failure.
  ///   - highWater: how many bytes may wait before nothing more is taken.
  init(limit: Int, highWater: Int) {
    self.limit = limit
    self.highWater = highWater
  }

  var peak: Int { state.withLock { $0.peak } }

  /// Whether enough waits; the reader then says when there is room.
  func isFull() -> Bool {
    state.withLock { state in
      if state.bytes.count >= highWater { state.isFull = true }
      return state.isFull
    }
  }

  /// Takes a piece, whole or not at all.
  func offer(_ piece: Span<UInt8>) -> ReceivedBody.Step {
    // A view cannot go into a closure.
    var bytes: [UInt8] = []
    bytes.append(piece)
    let (step, reader) = state.withLock { state -> (ReceivedBody.Step, CheckedContinuation<Void, Never>?) in
      guard state.bytes.count < highWater else {
        state.isFull = true
        return (.full, nil)
      }
      let isOver = bytes.count > limit - state.received
      if isOver { bytes.removeSubrange((limit - state.received)...) }
      state.received += bytes.count
      if state.bytes.isEmpty { state.bytes = bytes } else { state.bytes += bytes }
      state.peak = max(state.peak, state.bytes.count)
      let reader = state.reader
      state.reader = nil
      return (isOver ? .overLimit : .taken, reader)
    }
    reader?.resume()
    return step
  }

  /// There is no more to come.
  func finish(_ error: (any Error)?) {
    let reader = state.withLock { state in
      if state.end == nil { state.end = .some(error) }
      let reader = state.reader
      state.reader = nil
      return reader
    }
    reader?.resume()
  }

  /// What there is for the reader now.
  func take() -> Turn {
    state.withLock { state in
      if !state.bytes.isEmpty {
        let turn = Turn.piece(state.bytes, wasFull: state.isFull)
        state.bytes = []
        state.isFull = false
        return turn
      }
      return state.end.map { .end($0) } ?? .wait
    }
  }

  /// Returns when there is something to take.
  func wait() async {
    await withCheckedContinuation { continuation in
      let isReady = state.withLock { state in
        if !state.bytes.isEmpty || state.end != nil { return true }
        state.reader = continuation
        return false
      }
      if isReady { continuation.resume() }
    }
  }
}
#endif
