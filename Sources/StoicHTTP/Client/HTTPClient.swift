public import Foundation
import Stoic

/// Sends HTTP requests, and keeps the promises that a hand-written client breaks.
///
/// ```swift
/// let api = HTTPClient(base: URL(string: "https://api.example.com")!, headers: ["Authorization": "Bearer …"])
/// let user = try await api.send(.get("/users/42"), decoding: User.schema)
/// try await api.send(.post("/orders", json: order), idempotencyKey: "order-7")
/// ```
///
/// - A request is sent again only where that does no harm: GET, HEAD, OPTIONS, PUT, DELETE and QUERY, and any other method
///   only with an idempotency key.
/// - Each attempt has a timeout, the call has the caller's deadline, and a wait that would outlast it is not started.
/// - A host that fails too often is not called for a while, a host is called so many times at once, and all retries
///   together draw on a budget: what a policy refuses is ``HTTPError/rejected(_:call:)``.
/// - Identical GETs at the same time share one request; nothing is cached.
/// - Responses are bounded, redirects never carry credentials to another origin, default headers never leave the
///   base's origin.
/// - Failures are ``HTTPError`` values that say what happened and how many attempts were made.
///
/// A client is a value; copies share its transport, and what it knows of each host.
public struct HTTPClient: Sendable {
  private let base: Result<BaseURL, InvalidRequest>
  private let fields: ClientFields
  private let pipeline: Pipeline

  /// Makes a client.
  ///
  /// - Parameters:
  ///   - base: the URL below which paths are requested; its query and fragment are dropped. A base that cannot be used
  ///     makes every call fail with ``HTTPError/invalidRequest(_:)``.
  ///   - transport: what carries the requests.
  ///   - policy: how the client behaves.
  ///   - headers: fields for every request to the base's origin, and to no other.
  ///   - label: the client's name in events.
  public init(
    base: URL, transport: any HTTPTransport, policy: HTTPPolicy = .standard, headers: HTTPHeaders = [:],
    label: String = "http"
  ) {
    let base = Result { () throws(InvalidRequest) in try BaseURL(base) }
    self.init(base: base, transport: transport, policy: policy, headers: headers, label: label)
  }

  /// Makes a client whose every call fails with ``HTTPError/invalidRequest(_:)`` where its base is a failure.
  init(
    base: Result<BaseURL, InvalidRequest>, transport: any HTTPTransport, policy: HTTPPolicy,
    headers: HTTPHeaders, label: String
  ) {
    self.base = base
    pipeline = Pipeline(transport, policy, label: label)
    fields = ClientFields(headers, varying: pipeline.vary)
  }

  /// How the client behaves.
  public var policy: HTTPPolicy { pipeline.policy }

  /// Sends a request and returns the response: a status of 2xx, its body whole and within the policy's bound.
  ///
  /// - Parameters:
  ///   - request: what to send.
  ///   - idempotencyKey: sent as `Idempotency-Key`, the same on every attempt; makes a POST or PATCH repeatable.
  ///     Replaces the request's own key.
  /// - Throws: ``HTTPError``, or `CancellationError` when the caller was cancelled.
  @discardableResult
  public func send(_ request: HTTPRequest, idempotencyKey: String? = nil) async throws -> HTTPResponse {
    try await call(request, idempotencyKey).run().response
  }

  /// How many hosts the client knows something of.
  package var knownHosts: Int { pipeline.hosts.count }

  /// How many shared requests are under way.
  package var flights: Int { pipeline.flights.inFlight }

  /// The call that a request makes, checked and completed.
  ///
  /// - Parameter type: the media type to accept where neither the request nor the client says.
  func call(_ request: HTTPRequest, _ key: String?, accepting type: String = "*/*") throws -> Call {
    do throws(InvalidRequest) {
      let prepared = try PreparedRequest(
        request, base: base.get(), fields: fields, key: key, keyFormat: pipeline.policy.keyFormat,
        accepting: type)
      return Call(prepared, through: pipeline)
    } catch {
      Ambient.record(
        "http.failed", .warning, label: pipeline.label, [Event.Field("error", "invalid_request")])
      throw HTTPError.invalidRequest(error.reason)
    }
  }
}

extension HTTPClient: CustomStringConvertible, CustomReflectable {
  /// The client's label and base origin.
  public var description: String {
    switch base {
    case .success(let base):
      "HTTPClient \(pipeline.label) at \(base.origin.scheme)://\(base.origin.authority)"
    case .failure(let error): "HTTPClient \(pipeline.label), which cannot send: \(error.reason)"
    }
  }

  /// The client without its header values.
  public var customMirror: Mirror {
    Mirror(self, children: ["client": description, "headers": fields.headers])
  }
}
