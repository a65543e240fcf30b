/// How an idempotency key is written in its field.
public enum IdempotencyKeyFormat: Sendable, Hashable {
  /// As it is, as payment providers have it.
  case bare
  /// As a string of structured fields, in quotes (RFC 8941, section 3.3.3; draft-ietf-httpapi-idempotency-key-header).
  ///
  /// A key with other than printable ASCII characters cannot be written so and is refused. A field that a request sets
  /// itself is sent as it is.
  case quoted
}
