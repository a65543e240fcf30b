#if os(Linux) || os(macOS)
import Foundation

/// A response's body as it comes, for one reader, who sets the pace.
///
/// Letting go of it ends the exchange.
package final class CurlBody: AsyncSequence, Sendable {
  /// A piece: some bytes, never none.
  package typealias Element = [UInt8]

  private let stream: BodyStream
  private let call: CurlCall
  private let engine: CurlEngine
  /// Kept until the body is let go of, since it ends everything when it is let go of itself.
  private let transport: CurlTransport

  init(_ stream: BodyStream, of call: CurlCall, on engine: CurlEngine, _ transport: CurlTransport) {
    self.stream = stream
    self.call = call
    self.engine = engine
    self.transport = transport
  }

  deinit { engine.end(call, as: .cancelled) }

  /// The most bytes that ever waited to be read.
  package var peak: Int { stream.peak }

  /// Reads the body.
  package struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let body: CurlBody

    /// The next piece; nil after the last.
    ///
    /// - Throws: ``TransportError`` when the body is cut, broken or longer than allowed, `CancellationError` when the
    ///   task is cancelled.
    package mutating func next() async throws -> [UInt8]? { try await body.next() }
  }

  package func makeAsyncIterator() -> AsyncIterator { AsyncIterator(body: self) }

  private func next() async throws -> [UInt8]? {
    while true {
      try Task.checkCancellation()
      switch stream.take() {
      case .piece(let bytes, let wasFull):
        if wasFull { engine.resume(call) }
        return bytes
      case .end(let error):
        if let error { throw error }
        return nil
      case .wait:
        await cancellable {
          await stream.wait()
        } onCancel: {
          engine.end(call, as: .cancelled)
        }
      }
    }
  }
}

extension CurlBody: CustomStringConvertible, CustomReflectable {
  /// Which request it answers; nothing of what it holds.
  package var description: String { "body of the response to \(call.message)" }

  /// The same as ``description``.
  package var customMirror: Mirror { Mirror(self, children: ["body": description]) }
}
#endif
