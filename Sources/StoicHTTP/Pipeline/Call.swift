import Stoic

/// One call: alone, or together with others that ask for the same.
final class Call: Sendable {
  /// What a call brought back, and what it took.
  final class Answer: FlightOutcome {
    let response: HTTPResponse
    let log: CallLog

    init(_ response: HTTPResponse, _ log: CallLog) {
      self.response = response
      self.log = log
    }
  }

  let pipeline: Pipeline
  let request: PreparedRequest
  /// What is in force around the call.
  let values: AmbientValues
  private let start: AmbientClock.Instant
  /// The instant by which the call has to end: the caller's deadline, tightened by the policy's `timeout`.
  let deadline: AmbientClock.Instant?

  var events: CallEvents { CallEvents(call: self) }

  init(_ request: PreparedRequest, through pipeline: Pipeline) {
    let values = Ambient.values
    self.request = request
    self.pipeline = pipeline
    self.values = values
    start = values.clock.now
    if let timeout = pipeline.policy.timeout {
      let own = start.advanced(by: timeout)
      deadline = values.deadline.map { min($0, own) } ?? own
    } else {
      deadline = values.deadline
    }
  }

  /// Makes the call, or joins one that is under way.
  ///
  /// - Throws: ``HTTPError``, or `CancellationError` when the caller was cancelled.
  func run() async throws -> Answer {
    let isNested = values.attempt != nil
    let key = FlightKey(request, of: pipeline, in: values)
    guard let key = key.map({ FlightLink(pipeline.flights, $0, inside: values.flight) }),
      !pipeline.flights.isOwn(key, in: values)
    else {
      return try await CallRun(self, since: start, isNested: isNested, flight: nil).run()
    }
    do {
      let outcome = try await pipeline.flights.share(key, until: deadline, at: start, in: values) {
        try await CallRun(self, since: start, isNested: isNested, flight: key).run()
      } joined: {
        events.coalesced()
      }
      // All that flies on the client's board is an answer.
      if let answer = outcome as? Answer { return answer }
    } catch let error as HTTPError {
      throw error
    } catch {
      // A caller who leaves a flight has made no attempt.
      throw failure(error, CallLog(since: start, on: values.clock))
    }
    return try await CallRun(self, since: start, isNested: isNested, flight: key).run()
  }

  /// What the caller is told when the call ends for another reason than an ``HTTPError``.
  ///
  /// A deadline ends its body by cancelling it: what the caller is to see is the deadline.
  @inline(never) func failure(_ error: any Error, _ log: CallLog) -> any Error {
    let isPast = values.deadline.map { values.clock.now >= $0 } ?? false
    guard error is Rejection || isPast else { return error }
    let rejection = HTTPError.rejected(Rejection(.deadlineExceeded), call: log.record(of: self))
    events.failed(rejection)
    return rejection
  }
}
