// The standard library's functions take bodies of no isolation: such a body leaves the caller's actor when it starts, and comes
// back when it ends. One that holds on to the actor stays, which takes a parameter that says what actor that is.

extension AmbientValues {
  /// Runs a body with these values in force, on the caller's actor and without a hop.
  package func inForce<Value>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Value
  ) async rethrows -> Value {
    try await Ambient.$values.withValue(
      self,
      operation: {
        _ = isolation
        return try await body()
      }, isolation: isolation)
  }
}

/// Runs a body on the caller's actor and without a hop, and a handler when the caller is cancelled meanwhile.
package func cancellable<Value>(
  isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Value,
  onCancel: @Sendable () -> Void
) async rethrows -> Value {
  try await withTaskCancellationHandler(
    operation: {
      _ = isolation
      return try await body()
    }, onCancel: onCancel, isolation: isolation)
}
