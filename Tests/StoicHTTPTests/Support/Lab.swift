import StoicHTTP
import StoicTesting

/// A client on a script within a simulation, whose calls share nothing, with one attempt each unless a test says more.
struct Lab: Sendable {
  let transport = ScriptedTransport()
  let api: HTTPClient

  init(attempts: Int = 1, _ change: (inout HTTPPolicy) -> Void = { _ in }) {
    var policy = Rig.pinned
    policy.retry.maxAttempts = attempts
    // Each call is to meet the policies for itself.
    policy.coalescesGETs = false
    change(&policy)
    api = HTTPClient(base: makeURL("https://h.example"), transport: transport, policy: policy)
  }

  /// Sends a GET; its status, a rejection's reason, `timed_out`, `cancelled`, or `other`.
  func get(_ path: String) async -> String {
    do {
      return "\(try await api.send(.get(path)).status)"
    } catch let error as HTTPError {
      return error.rejection?.reason.rawValue ?? error.status.map { "\($0)" }
        ?? (error.timedOutAttempt == nil ? "other" : "timed_out")
    } catch {
      return "cancelled"
    }
  }

  /// Sends several GETs to paths of their own at once.
  func getAll(_ paths: [String]) async -> [String] {
    await withTaskGroup(of: String.self, returning: [String].self) { group in
      for path in paths { group.addTask { await get(path) } }
      return await group.reduce(into: []) { $0.append($1) }
    }
  }

  /// Starts a GET, which has reached the client when this returns.
  func start(_ path: String) async throws -> Task<String, any Error> {
    let call = Ambient.task { await get(path) }
    try await Ambient.sleep(for: .nanoseconds(1))
    return call
  }

  /// Opens the breaker of the host, which needs two failures for it.
  func open() async {
    transport.on(.get("/down"), respond: [.status(500)])
    for _ in 0..<2 { _ = await get("/down") }
  }
}
