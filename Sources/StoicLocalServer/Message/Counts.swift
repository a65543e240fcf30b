extension LocalServer {
  /// What a server has seen and done so far.
  public struct Counts: Sendable, Equatable {
    /// Connections accepted.
    public internal(set) var connections = 0
    /// Connections open now.
    public internal(set) var openConnections = 0
    /// Requests received whole, or answered by an `Admitter` before that.
    public internal(set) var requests = 0
    /// Responses handed to the system to their last byte.
    public internal(set) var responses = 0
    /// Connections that the client ended, in the middle of something or not; ending its own side is enough.
    ///
    /// An end behind more bytes than the server reads ahead is not seen before they are read; a reset is.
    public internal(set) var disconnects = 0
    /// Requests whose client left before its response was written.
    public internal(set) var undelivered = 0
    /// Requests whose client left before it had sent them whole.
    public internal(set) var cutShort = 0
    /// Requests that the server itself refused, as malformed or over a limit.
    public internal(set) var refused = 0
    /// Body bytes of responses handed to the system, without heads, trailers, chunk framing and what interrupts; all bytes of a raw one.
    public internal(set) var bytesSent = 0
  }
}
