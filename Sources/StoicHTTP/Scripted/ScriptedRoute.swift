import Foundation

/// One route of a script: which requests it answers, and with what.
struct ScriptedRoute {
  private let method: HTTPMethod
  private let origin: Origin?
  private let path: String
  private let query: String?
  private var steps: ArraySlice<ScriptedTransport.Step>
  private let last: ScriptedTransport.Step?

  /// - Parameters:
  ///   - pattern: a request whose method and target say what the route fits.
  ///   - last: what answers after the steps; nil repeats the last step.
  init(_ pattern: HTTPRequest, _ steps: [ScriptedTransport.Step], then last: ScriptedTransport.Step?) {
    method = pattern.method
    self.steps = steps[...]
    self.last = last ?? steps.last
    let location = Self.location(pattern)
    origin =
      switch pattern.target {
      case .path: nil
      case .url: location?.origin
      }
    path = location?.path ?? ""
    query = location?.query
  }

  /// Whether the route answers a request.
  func fits(_ request: TransportRequest) -> Bool {
    guard method == request.method, let reference = URLReference(request.url.absoluteString) else {
      return false
    }
    return path == reference.path && (query == nil || query == reference.query)
      && (origin == nil || origin == Origin(reference))
  }

  /// The next answer; nil for a route without any.
  mutating func next() -> ScriptedTransport.Step? {
    steps.popFirst() ?? last
  }

  private static func location(_ pattern: HTTPRequest) -> Location? {
    guard let anyHost = URL(string: "http://any.invalid"), let base = try? BaseURL(anyHost) else {
      return nil
    }
    return try? base.location(of: pattern)
  }
}
