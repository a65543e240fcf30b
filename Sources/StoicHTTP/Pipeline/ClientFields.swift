/// The fields that a client adds to its requests, checked once, and completed once for requests that add none.
struct ClientFields: Sendable {
  /// What requests without fields of their own carry.
  final class Complete: Sendable {
    let type: String
    let headers: HTTPHeaders
    let known: KnownFields
    /// Those that tell GETs apart, and their hash.
    let varying: HTTPHeaders
    let hash: Int

    fileprivate init(_ fields: HTTPHeaders, accepting type: String, _ rule: VaryRule) {
      self.type = type
      var headers = fields
      let known = KnownFields(fields)
      headers.complete(known, accepting: type)
      self.headers = headers
      self.known = known
      varying = headers.varying(by: rule)
      hash = varying.hashValue
    }
  }

  let headers: HTTPHeaders
  /// Whether they are fit to be sent; where they are not, each request says so.
  let areChecked: Bool
  private let complete: [Complete]

  init(_ headers: HTTPHeaders, varying rule: VaryRule) {
    self.headers = headers
    let known = KnownFields(headers)
    areChecked =
      (try? headers.check()) != nil
      && known.isDisjoint(with: [.idempotencyKey, .host, .severalContentTypes])
    complete = ["*/*", "application/json"].map { Complete(headers, accepting: $0, rule) }
  }

  /// What a request carries that adds no field of its own and accepts a type; nil where it has to be put together.
  func complete(accepting type: String) -> Complete? {
    areChecked ? complete.first { $0.type == type } : nil
  }
}

extension HTTPHeaders {
  /// Adds what every request carries.
  mutating func complete(_ known: KnownFields, accepting type: String) {
    if !known.contains(.accept) { add("Accept", type) }
    if !known.contains(.userAgent) { add("User-Agent", userAgent) }
  }
}

/// This package and its version.
private let userAgent = "Stoic/0.1.0"
