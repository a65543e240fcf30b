extension LocalServer {
  /// What a server takes from its clients before it refuses.
  public struct Limits: Sendable {
    /// The longest head in bytes, its empty line included; a longer one is answered 431.
    public var headBytes = 64 * 1024
    /// The longest request body in bytes, after its chunks are joined; a longer one is answered 413.
    public var bodyBytes = 64 * 1024 * 1024
    /// The most connections held at once; further ones wait in the system's queue.
    public var connections = 1024
    /// The most memory that `requests` may take, in bytes; later requests are answered and counted, not kept.
    public var recordedBytes = 256 * 1024 * 1024
    /// How long a refused client may go on sending before its connection is closed under it.
    package var drainTime = Duration.seconds(30)

    /// The limits as documented with each field.
    public init() {}
  }
}
