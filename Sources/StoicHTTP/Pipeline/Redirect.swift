import Stoic

/// Whether a response leads to another exchange, and to which one.
///
/// Pure.
enum Redirect {
  /// The response is the answer.
  case answer
  /// Another exchange follows.
  case follow(Exchange)

  /// The most redirects that one attempt follows; a loop makes 21 requests.
  static let limit = 20

  /// Decides by the status, the `Location`, and the policy (RFC 9110, section 15.4).
  ///
  /// - Parameters:
  ///   - response: the response to `exchange`.
  ///   - followed: how many redirects this attempt has followed.
  init(_ response: HTTPResponse, to exchange: Exchange, followed: Int, policy: borrowing HTTPPolicy) {
    self = .answer
    guard policy.redirects != .none, followed < Self.limit,
      let method = Self.method(response.status, exchange.method, policy.redirects),
      // The server asks to wait before following: that is the caller's decision, and the error says how long.
      RetryAfter.wait(in: response.headers, wallClock: policy.wallClock) ?? .zero == .zero,
      let location = Self.target(of: response, from: exchange.location)
    else { return }

    var next = exchange
    next.location = location
    next.method = method
    if method != exchange.method {
      next.body = []
      next.headers.keep { !Self.speaksOfBody($0) }
    }
    if location.origin != exchange.location.origin {
      let named = Set(policy.redirectHeaders.map { $0.lowercased() })
      // A `Host` is another place's name there, whoever lists it.
      next.headers.keep { $0 != "host" && (Self.travels($0) || named.contains($0)) }
    }
    self = .follow(next)
  }

  /// The method of the next exchange; nil where the status is no redirect, or one that is not followed.
  ///
  /// A POST that a 301 or 302 turned into a GET without a body reports success for an order that was never placed, so
  /// only a policy that says so does it.
  private static func method(_ status: Int, _ method: HTTPMethod, _ policy: RedirectPolicy) -> HTTPMethod? {
    switch status {
    case 307, 308: method
    case 303: method == .head ? .head : .get
    case 301, 302:
      if method == .post || method == .patch { policy == .allowingMethodRewrite ? .get : nil } else { method }
    default: nil
    }
  }

  private static func target(of response: HTTPResponse, from current: Location) -> Location? {
    let values = Set(response.headers.values(for: "Location"))
    guard values.count == 1, let text = values.first,
      var reference = URLReference(PercentEncoding.completing(text.trimmingBlanks, allowing: "/?#[]"))
    else { return nil }
    // Brackets belong around an address: elsewhere `URL` would escape the whole part, escapes and all.
    reference.path = PercentEncoding.completing(reference.path)
    reference.query = reference.query.map { PercentEncoding.completing($0, allowing: "/?") }
    guard let location = try? Location(reference.resolved(against: current.reference)) else { return nil }
    let isDowngrade = current.origin.scheme == "https" && location.origin.scheme == "http"
    return isDowngrade ? nil : location
  }

  /// Whether a field, in small letters, describes a body, and goes with it (RFC 9110, section 15.4).
  private static func speaksOfBody(_ name: String) -> Bool {
    name.hasPrefix("content-") || ["digest", "repr-digest", "last-modified"].contains(name)
  }

  /// Whether a field, in small letters, may travel to another origin: it says what is asked for, not who
  /// asks.
  ///
  /// A list of credentials to drop would miss the next API's own.
  private static func travels(_ name: String) -> Bool {
    if name.hasPrefix("accept") || name.hasPrefix("content-") { return true }
    return [
      "range", "if-match", "if-none-match", "if-modified-since", "if-unmodified-since", "if-range",
      "user-agent",
      "idempotency-key",
    ].contains(name)
  }
}

extension HTTPHeaders {
  /// Keeps the fields whose name, in small letters, a condition allows.
  fileprivate mutating func keep(where isKept: (String) -> Bool) {
    self = HTTPHeaders(filter { isKept($0.name.lowercased()) })
  }
}
