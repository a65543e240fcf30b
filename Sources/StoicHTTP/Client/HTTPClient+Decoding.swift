import Stoic
import StoicJSON
public import StoicSchema

extension HTTPClient {
  /// Sends a request and returns the value that a schema makes of the JSON in the response.
  ///
  /// Adds `Accept` with the expected type unless the request or the client names what is accepted. A response of another
  /// media type than `application/json`, one ending in `+json`, the expected one, or one of ``HTTPPolicy/jsonTypes`` is a
  /// decoding failure whose issue names the type, so that the page of a captive portal is called one; a response without
  /// a `Content-Type` is tried as JSON. A response that has no body, such as 204, fits a schema that allows null.
  ///
  /// - Parameters:
  ///   - request: what to send.
  ///   - schema: what the body has to be.
  ///   - idempotencyKey: as in ``send(_:idempotencyKey:)``.
  ///   - type: the media type that is asked for.
  /// - Throws: ``HTTPError``, with ``HTTPError/decoding(_:call:)`` for a body that does not fit, which is never retried;
  ///   or `CancellationError` when the caller was cancelled.
  public func send<Value>(
    _ request: HTTPRequest, decoding schema: Schema<Value>, idempotencyKey: String? = nil,
    expecting type: String = "application/json"
  ) async throws -> Value {
    let call = try call(request, idempotencyKey, accepting: type)
    let answer = try await call.run()
    do {
      return try answer.response.decoded(
        by: schema, of: request.method, accepting: policy.jsonTypes.union([type]))
    } catch let mismatch as ValidationFailure {
      let failure = HTTPError.decoding(mismatch, call: answer.log.record(of: call))
      call.events.decodingFailed(errors: mismatch.total)
      call.events.failed(failure)
      throw failure
    }
  }
}

extension HTTPResponse {
  fileprivate func decoded<Value>(
    by schema: Schema<Value>, of method: HTTPMethod, accepting types: Set<String>
  ) throws -> Value {
    guard hasBody(for: method) else { return try decodedOfNothing(by: schema) }
    try checkType(accepting: types)
    return try schema.decode(body)
  }

  /// No body says no more than null does, so whoever takes null takes it.
  private func decodedOfNothing<Value>(by schema: Schema<Value>) throws -> Value {
    guard let value = try? schema.decode(JSON.null) else {
      throw ValidationFailure(issues: [
        ValidationIssue(
          path: .init(), code: .missing,
          message:
            "expected JSON, the response is \(status) without a body; a schema of an optional accepts it")
      ])
    }
    return value
  }

  private func checkType(accepting types: Set<String>) throws {
    if headers.values(for: "Content-Type").allSatisfy({ MediaType($0) == nil }) { return }
    let type = headers.contentType
    if let type, type.isJSON || types.contains(where: { MediaType($0)?.essence == type.essence }) { return }
    throw ValidationFailure(issues: [
      ValidationIssue(
        path: .init(), code: .mediaType,
        message:
          "expected JSON, the response is \(type.map { MediaType.shown($0.essence) } ?? "of several types"); "
          + "its sender may be a proxy or a login page")
    ])
  }
}
