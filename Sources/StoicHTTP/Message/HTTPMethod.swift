/// A request method: an open set, compared by case (RFC 9110, section 9.1), so that `get` is not `GET`.
public struct HTTPMethod: Sendable, Hashable {
  /// The method as it is sent.
  public let name: String

  /// Makes a method of any token; whether it is one is checked when the request is sent.
  public init(_ name: String) { self.name = name }

  /// Retrieve a representation.
  public static let get = HTTPMethod("GET")
  /// As GET, without the body.
  public static let head = HTTPMethod("HEAD")
  /// Ask what the target allows.
  public static let options = HTTPMethod("OPTIONS")
  /// Replace the target with the body.
  public static let put = HTTPMethod("PUT")
  /// Remove the target.
  public static let delete = HTTPMethod("DELETE")
  /// Have the target process the body by its own rules.
  public static let post = HTTPMethod("POST")
  /// Apply a partial change (RFC 5789).
  public static let patch = HTTPMethod("PATCH")
  /// Loop the message back.
  public static let trace = HTTPMethod("TRACE")
  /// Ask a question that needs a body; safe (draft-ietf-httpbis-safe-method-w-body).
  public static let query = HTTPMethod("QUERY")
}

extension HTTPMethod {
  /// Whether the method asks for no change on the server (RFC 9110, section 9.2.1; QUERY by its own draft).
  public var isSafe: Bool {
    switch self {
    case .get, .head, .options, .trace, .query: true
    default: false
    }
  }

  /// Whether a server that gets the request again does nothing more than for the first one (RFC 9110, section 9.2.2).
  ///
  /// TRACE counts by definition, although the client does not repeat it: see ``isRepeatedByClient``.
  public var isIdempotent: Bool {
    isSafe || self == .put || self == .delete
  }

  /// Whether the client repeats a failed request of this method without a key: GET, HEAD, OPTIONS, PUT, DELETE and
  /// QUERY.
  package var isRepeatedByClient: Bool {
    isIdempotent && self != .trace
  }
}

extension HTTPMethod: CustomStringConvertible {
  /// The method as it is sent.
  public var description: String { name }
}
