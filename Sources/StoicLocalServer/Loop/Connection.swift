/// One connection as the loop sees it; only the loop's thread touches it.
final class Connection {
  /// What holds up the response being written.
  enum Hold {
    case time(ContinuousClock.Instant)
    case gate
    case forever
  }

  let number: Int
  let descriptor: Descriptor
  var parser: RequestParser
  var outbox = Outbox()
  /// The handler at work on the request.
  var handler: Task<Void, Never>?
  /// The method and persistence of the request being answered.
  var exchange: (method: String, keepsAlive: Bool)?
  var writer: ResponseWriter?
  var hold: Hold?
  /// Set once the server has ended its side and only waits for the client to end its own.
  var drainsUntil: ContinuousClock.Instant?
  /// Whether the response is the refusal of a request that was not read to its end.
  var isRefusing = false

  init(number: Int, descriptor: Descriptor, limits: LocalServer.Limits) {
    self.number = number
    self.descriptor = descriptor
    parser = RequestParser(headLimit: limits.headBytes, bodyLimit: limits.bodyBytes)
  }

  var isReading: Bool { exchange == nil && !isRefusing && drainsUntil == nil }

  /// Whether more may be read: while a response is made, only a little of what comes after it.
  var acceptsInput: Bool { isReading || drainsUntil != nil || parser.bufferedBytes < Outbox.capacity }

  var hasOutput: Bool { !outbox.isEmpty || (writer != nil && hold == nil) }

  /// When the loop has to look at it again, whatever happens before.
  var wakesAt: ContinuousClock.Instant? {
    if let drainsUntil { return drainsUntil }
    if case .time(let instant) = hold { return instant }
    return nil
  }
}
