extension LocalServer {
  /// Starts a server that gives these responses in order, one per request whatever it asks, and the last one for ever.
  ///
  /// - Parameter script: without a response every request is answered 500.
  /// - Throws: `StartError`, for instance when the port is taken or no descriptor is left.
  public static func start(
    port: Int = 0, limits: Limits = Limits(), script: [Response]
  ) async throws -> LocalServer {
    let left = Monitor(script[...])
    return try await start(port: port, limits: limits) { _ in
      left.withLock { $0.count > 1 ? $0.removeFirst() : $0.first ?? .status(500) }
    }
  }
}
