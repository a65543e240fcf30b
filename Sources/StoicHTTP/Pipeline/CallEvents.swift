import Stoic

/// The events of one call.
///
/// Method, host and path are public; the query is private; nothing else of a message is in any.
///
/// Out of line: what is inlined into an asynchronous function grows the frame that every call pays for.
struct CallEvents {
  let call: Call

  private var request: PreparedRequest { call.request }

  /// The client's label and the host.
  private var label: String { "\(call.pipeline.label) \(request.first.location.origin.authority)" }

  /// A caller shares the request of another.
  @inline(never) func coalesced() {
    Ambient.record("http.coalesced", .debug, label: label, target + query)
  }

  /// An attempt that reached the transport has ended.
  @inline(never) func attempt(
    _ number: Int, _ outcome: AttemptOutcome, _ verdict: Verdict, took duration: Duration
  ) {
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
  @inline(never) func redirect(_ status: Int, to next: Location) {
    let place = [
      Event.Field("status", "\(status)"), Event.Field("to_host", next.origin.authority),
      Event.Field("to_path", next.path),
    ]
    Ambient.record("http.redirect", .debug, label: label, target + place)
  }

  /// A retry begins.
  @inline(never) func retry(_ number: Int, after wait: Duration, because verdict: Verdict) {
    Ambient.record(
      "http.retry", .info, label: label,
      target + [
        Event.Field("attempt", "\(number)"), Event.Field("delay", wait.text),
        Event.Field("reason", verdict.word),
      ])
  }

  /// The call has failed.
  @inline(never) func failed(_ error: HTTPError) {
    Ambient.record(
      "http.failed", .warning, label: label,
      target + [
        Event.Field("error", error.word), Event.Field("attempts", "\(error.attempts)"),
        Event.Field("elapsed", error.call.elapsed.text),
      ])
  }

  /// A success's body is not what the schema describes.
  @inline(never) func decodingFailed(errors: Int) {
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
