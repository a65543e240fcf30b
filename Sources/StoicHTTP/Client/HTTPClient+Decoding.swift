import Stoic
public import StoicSchema

extension HTTPClient {
  /// Sends a request and returns the value that a schema makes of the JSON in the response.
  ///
  /// Adds `Accept: application/json` unless the request or the client names what is accepted. A response of another media type than
  /// `application/json` or one ending in `+json` is a decoding failure whose issue names the type, so that the page of a
  /// captive portal is called one; a response without a `Content-Type` is tried as JSON.
  ///
  /// - Parameters:
  ///   - request: what to send.
  ///   - schema: what the body has to be.
  ///   - idempotencyKey: as in ``send(_:idempotencyKey:)``.
  /// - Throws: ``HTTPError``, with ``HTTPError/decoding(_:call:)`` for a body that does not fit, which is never retried;
  ///   or `CancellationError` when the caller was cancelled.
  public func send<Value>(
    _ request: HTTPRequest, decoding schema: Schema<Value>, idempotencyKey: String? = nil
  ) async throws -> Value {
    let call = try call(request, idempotencyKey, accepting: "application/json")
    let answer = try await call.run()
    do {
      try answer.response.checkMediaType()
      return try schema.decode(answer.response.body)
    } catch let mismatch as ValidationFailure {
      let failure = HTTPError.decoding(mismatch, call: answer.record)
      call.events.decodingFailed(errors: mismatch.total)
      call.events.failed(failure)
      throw failure
    }
  }
}

extension HTTPResponse {
  fileprivate func checkMediaType() throws {
    guard let value = headers["Content-Type"], let type = MediaType(value), !type.isJSON else { return }
    let isShowable = type.essence.utf8.count <= 64 && type.essence.isPrintableASCII
    let shown = isShowable ? type.essence : "another type"
    throw ValidationFailure(issues: [
      ValidationIssue(
        path: .init(), code: .mediaType,
        message: "expected JSON, the response is \(shown); its sender may be a proxy or a login page")
    ])
  }
}

extension String {
  fileprivate var isPrintableASCII: Bool { utf8.allSatisfy { (0x21...0x7E).contains($0) } }
}
