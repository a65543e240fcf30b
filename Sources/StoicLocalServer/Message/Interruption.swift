extension LocalServer {
  /// Something that comes between two bytes of a response.
  struct Interruption: Sendable {
    /// How many bytes come before it: of everything, interim responses, head and chunk framing included.
    let offset: Int
    let piece: Piece
  }
}

extension LocalServer.Response {
  /// The same response with a piece between two of its bytes, wherever that is: in the status line, a field, a chunk's size.
  ///
  /// ```swift
  /// let text = LocalServer.Response.text("hello")
  /// text.interrupted(after: 0, by: .reset)  // before any byte
  /// text.interrupted(after: 20, by: .close)  // in the middle of the head
  /// text.interrupted(after: 9, by: .gate(gate))  // one part of the status line now, the rest later
  /// ```
  ///
  /// A piece of bytes is written there as it is, in no chunk, and is in no `Content-Length`. Several pieces at one place
  /// come in the order they were given in. A `delay` comes before all of them.
  ///
  /// - Parameter offset: how many bytes of the response come before; a negative one counts as 0, and past the end the
  ///   piece comes after the last byte and before the connection is used again.
  public func interrupted(after offset: Int, by piece: LocalServer.Piece) -> Self {
    var response = self
    let offset = max(0, offset)
    let index = interruptions.firstIndex { $0.offset > offset } ?? interruptions.endIndex
    response.interruptions.insert(LocalServer.Interruption(offset: offset, piece: piece), at: index)
    return response
  }
}
