/// One connection as the loop sees it; only the loop's thread touches it.
final class Connection {
  /// What holds up the response being written.
  enum Hold {
    case time(ContinuousClock.Instant)
    case gate(LocalServer.Gate, waiter: Int)
    case forever
  }

  let number: Int
  let descriptor: Descriptor
  var parser: RequestParser
  var outbox = Outbox()
  /// The handler or admitter at work on the request.
  var handler: Task<Void, Never>?
  /// The method and persistence of the request being answered.
  var exchange: (method: String, keepsAlive: Bool)?
  /// The request about whose body a decision is being made.
  var admission: (request: ParsedRequest, awaitsContinue: Bool)?
  /// The requests that were handled so far.
  var requests = 0
  var writer: WireWriter?
  var hold: Hold?
  /// Set once the server has ended its side and only waits for the client to end its own.
  var drainsUntil: ContinuousClock.Instant?
  /// Whether the response is the server's own refusal.
  var isRefusing = false
  /// Whether the request was not read to its end, so that nothing after it can be read.
  var hasUnread = false

  init(number: Int, descriptor: Descriptor, limits: LocalServer.Limits) {
    self.number = number
    self.descriptor = descriptor
    parser = RequestParser(headLimit: limits.headBytes, bodyLimit: limits.bodyBytes)
  }

  var isReading: Bool { exchange == nil && admission == nil && !isRefusing && drainsUntil == nil }

  /// Whether its client, leaving now, leaves in the middle of a request.
  var isCutShort: Bool { admission != nil || (isReading && parser.hasBegun) }

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
