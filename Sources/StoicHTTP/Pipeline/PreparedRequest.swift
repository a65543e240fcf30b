import Foundation
import Stoic
import StoicJSON

/// A request that was checked and completed once, for all attempts of a call.
package struct PreparedRequest: Sendable {
  /// The first exchange of every attempt.
  let first: Exchange
  /// Whether a failed attempt may be repeated: by the method, or by a key that lets the server recognise a repeat.
  let mayRepeat: Bool
  /// Whether the request carries an idempotency key.
  let isKeyed: Bool
  /// Whether the caller asked for a part of the document.
  let asksForRange: Bool
  /// The client's own fields, where the request has no other.
  let common: ClientFields.Complete?

  var method: HTTPMethod { first.method }
}

/// One request and one response to it: a redirected attempt makes several.
struct Exchange: Sendable {
  var method: HTTPMethod
  var location: Location
  var headers: HTTPHeaders
  var body: [UInt8]
}

extension PreparedRequest {
  /// Checks a request and completes it with the client's fields.
  ///
  /// - Parameters:
  ///   - defaults: the client's fields, which go to the base's origin only.
  ///   - key: an idempotency key that replaces the request's own.
  ///   - keyFormat: how the key is written.
  ///   - type: the media type to accept where nobody says.
  /// - Throws: ``InvalidRequest`` for what cannot be sent safely.
  package init(
    _ request: HTTPRequest, base: BaseURL, defaults: HTTPHeaders, key: String?,
    keyFormat: IdempotencyKeyFormat = .bare, accepting type: String = "*/*"
  ) throws(InvalidRequest) {
    try self.init(
      request, base: base, fields: ClientFields(defaults, varying: VaryRule(.only([]))), key: key,
      keyFormat: keyFormat, accepting: type)
  }

  init(
    _ request: HTTPRequest, base: BaseURL, fields: ClientFields, key: String?,
    keyFormat: IdempotencyKeyFormat, accepting type: String
  ) throws(InvalidRequest) {
    try Self.check(request.method)
    guard fields.areChecked || !fields.headers.contains(HTTPHeaders.idempotencyKey) else {
      throw InvalidRequest(
        "the client's own fields hold an Idempotency-Key, the same for all; set one per request")
    }
    let location = try base.location(of: request)
    let isOwn = location.origin == base.origin
    if isOwn, request.isBare, key == nil, let common = fields.complete(accepting: type) {
      self.init(request.method, location, common.headers, [], common.known, common)
      return
    }

    let body = try request.body.map { body throws(InvalidRequest) in try body.bytes() }
    var headers = HTTPHeaders()
    headers.reserveCapacity(fields.headers.count + request.headers.count + 3)
    if isOwn { headers.append(contentsOf: fields.headers) }
    headers.replace(with: request.headers)
    var known = KnownFields(headers)
    let key = key ?? request.idempotencyKey
    if key != nil || known.contains(.idempotencyKey) {
      try headers.setKey(key, keyFormat)
      known.insert(.idempotencyKey)
    }
    // A key replaces one of the request's own, whatever that is.
    try (fields.areChecked && key == nil ? request.headers : headers).check()
    if request.authority != nil || known.contains(.host) {
      try headers.checkHost(for: location.origin, authority: request.authority)
    }
    try Self.check(body, of: request.method, known)
    try HTTPHeaders.checkAccepted(type)
    headers.complete(known, accepting: type)
    self.init(request.method, location, headers, body ?? [], known, nil)
  }

  private init(
    _ method: HTTPMethod, _ location: Location, _ headers: HTTPHeaders, _ body: [UInt8], _ known: KnownFields,
    _ common: ClientFields.Complete?
  ) {
    first = Exchange(method: method, location: location, headers: headers, body: body)
    isKeyed = known.contains(.idempotencyKey)
    mayRepeat = method.isRepeatedByClient || isKeyed
    asksForRange = known.contains(.range)
    self.common = common
  }

  private static func check(_ method: HTTPMethod) throws(InvalidRequest) {
    guard method.name.isToken else { throw InvalidRequest("the method is no token") }
    // The one asks a proxy for a tunnel, the other begins another protocol (RFC 9110, section 9.3.6; RFC 9113, section 3.4).
    guard method.name != "CONNECT", method.name != "PRI" else {
      throw InvalidRequest("the method \(method) changes what the connection is for")
    }
  }

  private static func check(_ body: [UInt8]?, of method: HTTPMethod, _ known: KnownFields)
    throws(InvalidRequest)
  {
    guard !known.contains(.severalContentTypes) else {
      throw InvalidRequest("there is more than one Content-Type field")
    }
    guard body != nil else { return }
    guard ![.get, .head, .trace].contains(method) else {
      throw InvalidRequest("a \(method) carries no body (RFC 9110, section 9.3); send a POST or a QUERY")
    }
    guard known.contains(.contentType) else {
      throw InvalidRequest("a body needs a Content-Type")
    }
  }
}

extension HTTPRequest.Body {
  fileprivate func bytes() throws(InvalidRequest) -> [UInt8] {
    switch self {
    case .bytes(let bytes): return bytes
    case .json(let json):
      do { return try json.serialized() } catch {
        throw InvalidRequest("the JSON body cannot be written: a number in it is not finite")
      }
    }
  }
}

extension HTTPRequest {
  /// Whether the request is a method and a target, and nothing else.
  fileprivate var isBare: Bool {
    headers.isEmpty && body == nil && idempotencyKey == nil && authority == nil
  }
}
