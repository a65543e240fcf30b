import Foundation
import StoicHTTP

/// What the client costs a GET that needs no retry, on a transport that answers at once.
///
/// - `http.pipeline`, `http.pipeline_deadline`: nanoseconds over the bare transport's call of the same run, without and
///   within a deadline; the ratio is of the whole call to the bare one.
/// - `http.breaker_open`: the same of a call that an open breaker refuses.
/// - `http.loopback.…`, on Linux: see `loopbackFigures`.
/// - `….allocations`: the allocations of a call over those of the bare one, counted; the ratio is to the 25 that it may make
///   at most. Left out where they cannot be counted.
func httpFigures() throws -> [Figure] {
  let figures = try waiting {
    try await overheads(of: try await pipelines(), over: bareTransport(), allowing: 25)
  }
  #if os(Linux)
  return figures + (try loopbackFigures())
  #else
  return figures
  #endif
}

/// What a script records of its requests grows with their number, and is not what is measured: a thousand calls get a new
/// one.
private final class Renewed<Thing: Sendable>: Sendable {
  private let current: Lock<(thing: Thing, uses: Int)>
  private let make: @Sendable () -> Thing

  init(_ make: @escaping @Sendable () -> Thing) {
    self.make = make
    current = Lock((make(), 0))
  }

  var thing: Thing {
    if let thing = current.withLock({ current -> Thing? in
      current.uses += 1
      return current.uses <= 1_000 ? current.thing : nil
    }) {
      return thing
    }
    let thing = make()
    current.withLock { $0 = (thing, 0) }
    return thing
  }
}

private func bareTransport() -> AsyncContender {
  let transport = Renewed { script() }
  let request = TransportRequest(
    method: .get, url: base.appending(path: "users/42"), headers: [:], body: [], timeout: .seconds(10),
    mayRepeat: true)
  return AsyncContender("the bare transport") { number in
    try await transport.thing.send(request, maxResponseBytes: 10).status &+ number
  }
}

private func pipelines() async throws -> [AsyncContender] {
  let api = Renewed {
    HTTPClient(base: base, transport: script(), headers: ["Authorization": "Bearer token"])
  }
  let refusing = try await refusingClient()
  let request = HTTPRequest.get("/users/42")
  return [
    AsyncContender("http.pipeline") { number in try await api.thing.send(request).status &+ number },
    AsyncContender("http.pipeline_deadline") { number in
      try await withDeadline(.seconds(1_200)) { try await api.thing.send(request).status &+ number }
    },
    AsyncContender("http.breaker_open") { number in
      do { return try await refusing.send(request).status } catch { return number }
    },
  ]
}

// A constant that is a URL.
// swift-format-ignore: NeverForceUnwrap
private let base = URL(string: "https://api.example.com/v1")!

private func script() -> ScriptedTransport {
  let transport = ScriptedTransport()
  transport.on(.get("/v1/users/42"), respond: [.bytes([1, 2, 3])])
  return transport
}

/// A client whose one host's breaker is open.
private func refusingClient() async throws -> HTTPClient {
  var policy = HTTPPolicy.standard
  policy.breaker?.minimumCalls = 1
  policy.breaker?.openFor = .seconds(1_200)
  policy.retry.maxAttempts = 1
  let transport = ScriptedTransport()
  transport.on(.get("/v1/users/42"), respond: [.status(503)])
  let api = HTTPClient(base: base, transport: transport, policy: policy)
  do { try await api.send(.get("/users/42")) } catch let error as HTTPError where error.attempts == 1 {}
  return api
}
