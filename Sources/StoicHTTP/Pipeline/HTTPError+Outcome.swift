import Foundation
import Stoic

extension HTTPError {
  /// The error of a call whose last attempt ended so, and was no success.
  init(_ outcome: AttemptOutcome, _ verdict: Verdict, attempt: Int, limit: Int, call: CallRecord) {
    self =
      switch outcome {
      case .answered where verdict.word == Verdict.tooLarge: .responseTooLarge(limit: limit, call: call)
      case .answered(let response):
        .status(
          response.status, excerpt: response.excerpt, retryAfter: verdict.requestedWait, call: call)
      case .failed(let error): .transport(error.code, call: call)
      case .timedOut: .timedOut(attempt: attempt, call: call)
      case .deadlinePassed: .rejected(Rejection(.deadlineExceeded), call: call)
      case .cancelled: .transport(.cancelled, call: call)
      }
  }

  /// The error as a short word for events.
  var word: String {
    switch self {
    case .status(let status, _, _, _): "status_\(status)"
    case .transport(let code, _): "transport_\(code.rawValue)"
    case .timedOut: "timed_out"
    case .responseTooLarge: Verdict.tooLarge
    case .decoding: "decoding"
    case .rejected(let rejection, _): rejection.reason.rawValue
    case .invalidRequest: "invalid_request"
    }
  }
}

extension HTTPResponse {
  /// The body's beginning as text for a program to look at: up to 1,024 bytes, ended before a character that does not fit.
  fileprivate var excerpt: String {
    // A little more than is kept, so that the last character kept is known to be whole.
    let start = String(validPrefixOf: body.prefix(1_024 + 64))
    var (size, end) = (0, start.startIndex)
    while end < start.endIndex, size + start[end].utf8.count <= 1_024 {
      size += start[end].utf8.count
      end = start.index(after: end)
    }
    return String(start[..<end])
  }
}

extension String {
  /// The longest start of some bytes that is valid UTF-8.
  fileprivate init(validPrefixOf bytes: ArraySlice<UInt8>) {
    self = ""
    var decoder = UTF8()
    var iterator = bytes.makeIterator()
    while case .scalarValue(let scalar) = decoder.decode(&iterator) { unicodeScalars.append(scalar) }
  }
}
