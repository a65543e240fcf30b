extension LocalServer {
  /// What becomes of a request whose head was read and whose body was not.
  public enum Admission: Sendable {
    /// The body is read, after a `100 Continue` if the client asked for one.
    case read
    /// The body is read, and a client that asked for `100 Continue` is left to wait for it.
    case readWithoutContinue
    /// This is the answer, and the body is not read; the connection ends after it.
    ///
    /// What the client still sends is dropped for up to 30 seconds, so that it can read the answer. A response that
    /// ends in a reset is reset at once.
    case answer(Response)
  }

  /// Decides about a request when its head has come and its body has not; called in a task like a handler's.
  ///
  /// Nothing more of the connection is looked at until it returns: a gate in it holds up the upload.
  public typealias Admitter = @Sendable (Request) async -> Admission
}
