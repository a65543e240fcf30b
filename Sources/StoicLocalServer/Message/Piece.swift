public import Foundation

extension LocalServer {
  /// One step of writing a response's body.
  public struct Piece: Sendable {
    enum Content: Sendable {
      case bytes([UInt8])
      case repeated(UInt8, count: Int)
      case pause(Duration)
      case gate(Gate)
      case close
      case reset
      case hang
    }

    let content: Content

    /// Writes these bytes; one chunk of a chunked body, none if they are empty.
    public static func bytes(_ bytes: [UInt8]) -> Piece { Piece(content: .bytes(bytes)) }

    /// Writes these bytes; one chunk of a chunked body, none if they are empty.
    public static func bytes(_ data: Data) -> Piece { Piece(content: .bytes([UInt8](data))) }

    /// Writes the text as UTF-8; one chunk of a chunked body, none if it is empty.
    public static func text(_ text: String) -> Piece { Piece(content: .bytes(Array(text.utf8))) }

    /// Writes one byte over and over, made only as fast as the client reads; in chunks of at most 64 KiB.
    ///
    /// - Parameter count: a negative one counts as 0.
    public static func repeated(_ byte: UInt8, count: Int) -> Piece {
      Piece(content: .repeated(byte, count: max(0, count)))
    }

    /// Waits in real time before it goes on; a negative duration counts as zero.
    public static func pause(_ duration: Duration) -> Piece { Piece(content: .pause(duration)) }

    /// Waits until the gate is open, if it never opens until the client leaves.
    public static func gate(_ gate: Gate) -> Piece { Piece(content: .gate(gate)) }

    /// Ends the connection in order (FIN), whatever was promised.
    public static var close: Piece { Piece(content: .close) }

    /// Ends the connection with a reset (RST); bytes the client has not read yet may be lost to it.
    public static var reset: Piece { Piece(content: .reset) }

    /// Writes nothing more until the client leaves or the server stops.
    public static var hang: Piece { Piece(content: .hang) }

    /// The bytes this piece adds to the body.
    var length: Int {
      switch content {
      case .bytes(let bytes): bytes.count
      case .repeated(_, let count): count
      case .pause, .gate, .close, .reset, .hang: 0
      }
    }
  }
}
