import Foundation
import StoicHTTP
import Synchronization

/// One check at work: its clients, what they reported, and what it may expect.
final class Probe: Sendable {
  private struct State {
    var reported: [Site.Server: Int] = [:]
    var limits: [String] = []
  }

  let site: Site
  let transport: Transport
  /// The user agent of all its requests, by which the logs tell them apart.
  let agent: String
  /// Where the logs ended before the check began.
  private let offsets: [Site.Server: Int]
  private let state = Mutex(State())

  init(site: Site, transport: Transport, agent: String) {
    offsets = Dictionary(uniqueKeysWithValues: Site.Server.allCases.map { ($0, site.logLength(of: $0)) })
    self.site = site
    self.transport = transport
    self.agent = agent
  }

  /// The known limits that were met.
  var limits: [String] { state.withLock(\.limits) }

  /// A client of nginx, over connections of its own.
  func nginx(
    _ port: String = "plain", scheme: String = "http", host: String = "127.0.0.1",
    trusting authority: URL? = nil, _ adjust: (inout HTTPPolicy) -> Void = { _ in }
  ) -> Party {
    party(
      .nginx, site.url(port, scheme: scheme, host: host), over: transport.make(trusting: authority), adjust)
  }

  /// A client of nginx over TLS, on libcurl set up as the check wants it.
  func nginx(
    _ port: String, on host: String = "127.0.0.1",
    configured configure: (inout CurlTransport.Configuration) -> Void
  ) -> Party {
    party(
      .nginx, site.url(port, scheme: "https", host: host), over: transport.make(trusting: nil, configure)
    ) { _ in }
  }

  /// A client of the server that speaks nothing but HTTP/2, over connections of its own.
  func http2(_ adjust: (inout HTTPPolicy) -> Void = { _ in }) -> Party {
    party(
      .http2, site.url("frames", scheme: "https"), over: transport.make(trusting: site.authority), adjust)
  }

  /// A client of httpbin, over connections of its own.
  func httpbin(_ adjust: (inout HTTPPolicy) -> Void = { _ in }) -> Party {
    party(.httpbin, site.url("httpbin"), over: transport.make(trusting: nil), adjust)
  }

  /// A client of the server that says what it is told to, over connections of its own.
  func raw(_ adjust: (inout HTTPPolicy) -> Void = { _ in }) -> Party {
    party(.raw, site.url("raw"), over: transport.make(trusting: nil), adjust)
  }

  private func party(
    _ server: Site.Server, _ base: URL, over transport: any HTTPTransport,
    _ adjust: (inout HTTPPolicy) -> Void
  ) -> Party {
    var policy = HTTPPolicy.standard
    policy.retry = RetrySchedule(
      maxAttempts: 3, base: .milliseconds(20), cap: .milliseconds(40), jitter: .none)
    adjust(&policy)
    let client = HTTPClient(
      base: base, transport: transport, policy: policy, headers: ["User-Agent": agent])
    return Party(probe: self, server: server, client: client)
  }

  func report(_ exchanges: Int, with server: Site.Server) {
    state.withLock { $0.reported[server, default: 0] += exchanges }
  }

  /// Fails the check unless both are equal.
  ///
  /// - Parameter limit: what is found instead on a transport that cannot do better; the check is then no passed one.
  func expect<Value: Equatable>(
    _ found: Value, _ wanted: Value, limit: Limit<Value>? = nil, file: String = #fileID, line: Int = #line
  ) throws {
    var wanted = wanted
    if let limit, limit.transport == transport {
      wanted = limit.value
      state.withLock { $0.limits.append(limit.reason) }
    }
    guard found == wanted else {
      throw Mismatch(description: "\(file):\(line): \(brief(found)), not \(brief(wanted))")
    }
  }

  /// Fails the check unless the server saw that many requests, and the client reported as many exchanges.
  ///
  /// - Parameter reported: what the client reports where that is something else by design.
  /// - Returns: the requests as the server's log tells of them, in the order in which they
  ///   ended: nginx's is to be relied on, httpbin's threads log as they come.
  @discardableResult
  func wire(
    _ server: Site.Server, _ count: Int, reported: Int? = nil, limit: Limit<Int>? = nil,
    file: String = #fileID, line: Int = #line
  ) async throws -> [Arrival] {
    let expected = limit.map { $0.transport == transport ? $0.value : count } ?? count
    let arrivals = try await arrivals(at: server, atLeast: expected)
    try expect(arrivals.count, count, limit: limit, file: file, line: line)
    try expect(
      state.withLock { $0.reported[server, default: 0] }, reported ?? count, file: file, line: line)
    return arrivals
  }

  /// What the server's log tells, after it had time to tell of so many.
  func arrivals(at server: Site.Server, atLeast count: Int) async throws -> [Arrival] {
    // A line is written when the server is done with a request, which may be after the client is.
    let offset = offsets[server] ?? 0
    for _ in 0..<250 where try site.arrivals(at: server, of: agent, from: offset).count < count {
      try await Task.sleep(for: .milliseconds(20))
    }
    // And one request more than expected shows only when the server has come to it: this one ends after it.
    let (base, path) =
      switch server {
      case .nginx: (site.url("plain"), "/sentinel")
      case .httpbin: (site.url("httpbin"), "/status/200")
      case .http2: (site.url("frames", scheme: "https"), "/sentinel")
      case .raw: (site.url("raw"), "/sentinel")
      }
    let sentinel = HTTPClient(
      base: base, transport: transport.make(trusting: server == .http2 ? site.authority : nil),
      headers: ["User-Agent": "sentinel"])
    try await sentinel.send(.get(path))
    return try site.arrivals(at: server, of: agent, from: offset)
  }

  private func brief(_ value: some Any) -> String {
    if let bytes = value as? [UInt8] { return "\(bytes.count) bytes, \(bytes.prefix(16))" }
    let text = "\(value)"
    return text.count > 200 ? "\(text.prefix(200))…" : text
  }
}

/// What a transport is known to do instead, and why.
struct Limit<Value> {
  let transport: Transport
  let value: Value
  let reason: String

  static func urlsession(_ value: Value, _ reason: String) -> Limit {
    Limit(transport: .urlsession, value: value, reason: reason)
  }

  static func curl(_ value: Value, _ reason: String) -> Limit {
    Limit(transport: .curl, value: value, reason: reason)
  }
}
