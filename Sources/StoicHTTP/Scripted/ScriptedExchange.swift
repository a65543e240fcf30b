import Stoic

/// What is known of one exchange: a line of the transport's description.
struct ScriptedExchange {
  /// How an exchange ended.
  enum Ending {
    case answered(Int, isTruncated: Bool)
    case failed(TransportError)
    case timedOut
    case cancelled
    case threw

    init(_ error: any Error) {
      switch error {
      case is ScriptedTimeout: self = .timedOut
      case is CancellationError: self = .cancelled
      case let error as TransportError: self = .failed(error)
      default: self = .threw
      }
    }

    /// Whether it ended before a whole answer was delivered, and not by the script.
    var isAbort: Bool {
      switch self {
      case .answered(_, let isTruncated): isTruncated
      case .timedOut, .cancelled: true
      case .failed, .threw: false
      }
    }
  }

  let request: TransportRequest
  private let start: AmbientClock.Instant
  private var end: AmbientClock.Instant?
  private var ending: Ending?
  /// Whether no route fits.
  var isUnscripted = false
  /// Whether a fault answered.
  var isFault = false

  init(_ arrival: ScriptedArrival) {
    request = arrival.request
    start = arrival.instant
  }

  mutating func close(_ ending: Ending, at instant: AmbientClock.Instant) {
    self.ending = ending
    end = instant
  }
}

extension ScriptedExchange: CustomStringConvertible {
  /// The request without its query, how it was answered, and when, as the time since the clock's origin.
  var description: String {
    "\(request): \(outcome)\(isUnscripted ? ", unscripted" : "")\(isFault ? ", a fault" : ""), \(time)"
  }

  private var time: String {
    guard let end else { return "since \(start.offset.text)" }
    return start == end ? "at \(start.offset.text)" : "\(start.offset.text) to \(end.offset.text)"
  }

  private var outcome: String {
    switch ending {
    case nil: "in flight"
    case .answered(let status, let isTruncated): isTruncated ? "\(status), cut at the limit" : "\(status)"
    case .failed(let error): error.code.words
    case .timedOut: "timed out"
    case .cancelled: "cancelled"
    case .threw: "threw an error of its own"
    }
  }
}

extension ScriptedTransport: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// What arrived, a line an exchange: method, URL without query, how it was answered, and when on the ambient clock.
  ///
  /// It is made to be shown by a failed expectation: `#expect(transport.requests.count == 2, "\(transport)")`. Neither
  /// header values, queries nor bodies are in it.
  public var description: String {
    let exchanges = exchanges
    let head = exchanges.count == 1 ? "1 request" : "\(exchanges.count) requests"
    let lines = exchanges.enumerated().map { "\n\($0.offset + 1). \($0.element)" }
    return "\(head), \(inFlight) in flight, \(aborted) aborted" + lines.joined()
  }

  /// The same as ``description``.
  public var debugDescription: String { description }

  /// The ``description`` alone.
  public var customMirror: Mirror { Mirror(self, children: ["exchanges": description]) }
}
