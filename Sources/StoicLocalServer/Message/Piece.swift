public import Foundation

extension LocalServer {
  /// One step of writing a response's body.
  public struct Piece: Sendable {
    enum Content: Sendable {
      case stretch(Stretch, chunkBytes: Int)
      case pause(Duration)
      case gate(Gate)
      case close
      case reset
      case hang
    }

    /// The longest chunk of bytes that are made on the way.
    private static let madeChunkBytes = 64 * 1024

    let content: Content

    /// Writes these bytes; one chunk of a chunked body, none if they are empty.
    public static func bytes(_ bytes: [UInt8]) -> Piece { Piece(lead: bytes) }

    /// Writes these bytes; one chunk of a chunked body, none if they are empty.
    public static func bytes(_ data: Data) -> Piece { Piece(lead: [UInt8](data)) }

    /// Writes the text as UTF-8; one chunk of a chunked body, none if it is empty.
    public static func text(_ text: String) -> Piece { Piece(lead: Array(text.utf8)) }

    /// Writes one byte over and over, made only as fast as the client reads; in chunks of at most 64 KiB.
    ///
    /// - Parameter count: a negative one counts as 0.
    public static func repeated(_ byte: UInt8, count: Int) -> Piece {
      Piece(made: Stretch(byte: byte, count: max(0, count)))
    }

    /// Writes the text as one whole stream of that coding; one chunk of a chunked body.
    public static func packed(_ text: String, as coding: Coding) -> Piece {
      Piece(lead: coding.pack(text))
    }

    /// Writes one byte over and over as one whole stream of that coding, a bomb for who unpacks it.
    ///
    /// A gigabyte is a megabyte on the wire, and nothing here: it is made as fast as the client reads, in chunks of
    /// at most 64 KiB. It unpacks to the count to the last byte, with the right checksum.
    ///
    /// - Parameter count: what it unpacks to; a negative one counts as 0.
    public static func packed(repeating byte: UInt8, count: Int, as coding: Coding) -> Piece {
      Piece(made: coding.pack(repeating: byte, count: max(0, count)))
    }

    /// Writes an interim response such as 103, a head without a body; its place is the `preface` of a response.
    public static func interim(_ status: Int, headers: KeyValuePairs<String, String> = [:]) -> Piece {
      let fields = headers.map { "\($0): \($1)\r\n" }.joined()
      return .text("HTTP/1.1 \(status) \r\n\(fields)\r\n")
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
      case .stretch(let stretch, _): stretch.length
      case .pause, .gate, .close, .reset, .hang: 0
      }
    }

    private init(content: Content) { self.content = content }

    private init(lead: [UInt8]) {
      content = .stretch(Stretch(lead: lead), chunkBytes: Int.max)
    }

    private init(made stretch: Stretch) {
      content = .stretch(stretch, chunkBytes: Self.madeChunkBytes)
    }
  }
}
