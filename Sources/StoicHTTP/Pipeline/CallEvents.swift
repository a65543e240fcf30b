import Stoic

/// The events of one call.
///
/// Method, host and path are public; the query is private; nothing else of a message is in any.
struct CallEvents {
  private let client: String
  private let request: PreparedRequest

  init(_ request: PreparedRequest, label: String) {
    self.request = request
    client = label
  }

  /// The client's label and the host.
  private var label: String { "\(client) \(request.first.location.origin.authority)" }

  /// A caller shares the request of another.
  func coalesced() {
    Ambient.record("http.coalesced", .debug, label: label, target + query)
  }

  /// An attempt that reached the transport has ended.
  func attempt(_ number: Int, _ outcome: AttemptOutcome, _ verdict: Verdict, took duration: Duration) {
    Ambient.record(
      "http.request", .debug, label: label,
      target + [
        Event.Field("attempt", "\(number)"), Event.Field("duration", duration.text),
      ] + status(outcome) + [Event.Field("outcome", verdict.word)] + query)
    if verdict.word == Verdict.tooLarge {
      Ambient.record("http.response_too_large", .warning, label: label, target)
    }
  }

  /// A redirect is followed.
  func redirect(_ status: Int, to next: Location) {
    let place = [
      Event.Field("status", "\(status)"), Event.Field("to_host", next.origin.authority),
      Event.Field("to_path", next.path),
    ]
    Ambient.record("http.redirect", .debug, label: label, target + place)
  }

  /// A retry begins.
  func retry(_ number: Int, after wait: Duration, because verdict: Verdict) {
    Ambient.record(
      "http.retry", .info, label: label,
      target + [
        Event.Field("attempt", "\(number)"), Event.Field("delay", wait.text),
        Event.Field("reason", verdict.word),
      ])
  }

  /// The call has failed.
  func failed(_ error: HTTPError) {
    Ambient.record(
      "http.failed", .warning, label: label,
      target + [
        Event.Field("error", error.word), Event.Field("attempts", "\(error.attempts)"),
        Event.Field("elapsed", error.call.elapsed.text),
      ])
  }

  /// A success's body is not what the schema describes.
  func decodingFailed(errors: Int) {
    Ambient.record(
      "http.decoding_failed", .notice, label: label, target + [Event.Field("errors", "\(errors)")])
  }

  private var target: [Event.Field] {
    let location = request.first.location
    return [
      Event.Field("method", request.method.name), Event.Field("host", location.origin.authority),
      Event.Field("path", location.path),
    ]
  }

  private var query: [Event.Field] {
    request.first.location.query.map { [Event.Field("query", $0, isPrivate: true)] } ?? []
  }

  private func status(_ outcome: AttemptOutcome) -> [Event.Field] {
    guard case .answered(let response) = outcome else { return [] }
    return [Event.Field("status", "\(response.status)")]
  }
}
