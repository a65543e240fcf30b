import Foundation

/// Makes requests with a method (tag `m`), the client's fields (`d`, `name:value`), their own (`h`), a key
/// (`k`, quoted with `K`), a `Host` (`a`) and a body (`y`); and reads responses with the same fields, types
/// (`t`) and body.
func fuzzHeaders(_ pieces: [Piece]) {
  var request = HTTPRequest(method: .get, path: "/")
  var defaults = HTTPHeaders()
  var types: [String] = []
  var body: [UInt8] = []
  var format = IdempotencyKeyFormat.bare
  for piece in pieces {
    let pair = piece.pair()
    switch piece.tag {
    case "m": request.method = HTTPMethod(piece.text)
    case "d": defaults.add(pair.name, pair.value ?? "")
    case "h": request.headers.add(pair.name, pair.value ?? "")
    case "k", "K":
      request.idempotencyKey = piece.text
      format = piece.tag == "K" ? .quoted : .bare
    case "a": request.authority = piece.text
    case "y":
      body = Array(piece.text.utf8)
      request.body = .bytes(body)
    case "t": types.append(piece.text)
    default: continue
    }
  }
  checkRequest(request, defaults, format)
  checkList(defaults, request.headers)
  checkTexts(Array(defaults) + Array(request.headers))
  checkTypes(types, body)
}

private let origin = "example.com"
private let marker = "Zq7xWv"

private func checkRequest(_ request: HTTPRequest, _ defaults: HTTPHeaders, _ format: IdempotencyKeyFormat) {
  guard let url = URL(string: "https://\(origin)/v1"), let base = try? BaseURL(url) else {
    fatalError("no base")
  }
  let rules = SecondRules(request, defaults, format, host: origin)
  do {
    let exchange = try PreparedRequest(request, base: base, defaults: defaults, key: nil, keyFormat: format)
      .first
    demand(rules.accepts, "what is not to be sent is accepted")
    demand(exchange.method == request.method, "another method")
    let sent = exchange.headers.map { ($0.name, $0.value) }
    demand(rules.fields.count == sent.count && zip(rules.fields, sent).allSatisfy { $0 == $1 }, "\(sent)")
  } catch {
    demand(!rules.accepts, "what may be sent is refused: \(error.reason)")
  }
  checkRefusal(request, base, defaults, format)
}

/// A refusal tells no value: with a mark in each, none is in its text.
private func checkRefusal(
  _ request: HTTPRequest, _ base: BaseURL, _ defaults: HTTPHeaders, _ format: IdempotencyKeyFormat
) {
  var marked = request
  marked.headers = HTTPHeaders(request.headers.map { HTTPHeaders.Field($0.name, $0.value + marker) })
  marked.idempotencyKey = request.idempotencyKey.map { $0 + marker }
  marked.authority = request.authority.map { $0 + marker }
  let own = HTTPHeaders(defaults.map { HTTPHeaders.Field($0.name, $0.value + marker) })
  let names = (Array(defaults) + Array(request.headers)).map(\.name) + [request.method.name]
  guard !names.contains(where: { $0.contains(marker) }) else { return }
  do { _ = try PreparedRequest(marked, base: base, defaults: own, key: nil, keyFormat: format) } catch {
    demand(!error.reason.contains(marker), "a refusal tells a value: \(error.reason)")
  }
}

/// Reading, joining, replacing and removing keep order and repeats.
private func checkList(_ first: HTTPHeaders, _ second: HTTPHeaders) {
  var headers = first
  var model = first.map { ($0.name, $0.value) }
  for field in second {
    let place = model.firstIndex { small($0.0) == small(field.name) }
    switch field.value.utf8.first {
    case UInt8(ascii: "-"):
      headers[field.name] = nil
      model.removeAll { small($0.0) == small(field.name) }
    case UInt8(ascii: "="):
      headers[field.name] = field.value
      model.removeAll { small($0.0) == small(field.name) }
      model.insert((field.name, field.value), at: place ?? model.count)
    default:
      headers.add(field.name, field.value)
      model.append((field.name, field.value))
    }
  }
  demand(headers.count == model.count, "another number of fields")
  for (field, modelled) in zip(headers, model) {
    demand(Array(field.name.utf8) == Array(modelled.0.utf8), "another name, or order")
    demand(Array(field.value.utf8) == Array(modelled.1.utf8), "another value, or order")
    let values = model.filter { small($0.0) == small(field.name) }.map(\.1)
    let other = String(decoding: small(field.name), as: UTF8.self)
    demand(headers.values(for: other) == values && headers.contains(other), "values are lost")
    demand(headers[other] == values.joined(separator: ", "), "values are joined in another way")
  }
  let twin = HTTPHeaders(
    headers.map { HTTPHeaders.Field(String(decoding: small($0.name), as: UTF8.self), $0.value) })
  demand(twin == headers && twin.hashValue == headers.hashValue, "the case of names counts")
}

/// No text tells a value of a field that is not on this list.
private func checkTexts(_ fields: [HTTPHeaders.Field]) {
  let harmless = [
    "accept", "accept-encoding", "accept-language", "accept-ranges", "age", "allow", "cache-control",
    "connection",
    "content-encoding", "content-language", "content-length", "content-type", "date", "expires",
    "retry-after",
    "server", "transfer-encoding", "user-agent", "vary",
  ].map { Array($0.utf8) }
  let secret = fields.filter { !harmless.contains(small($0.name)) && !$0.name.contains(marker) }
    .map { HTTPHeaders.Field($0.name, marker + $0.value + marker) }
  guard let first = secret.first else { return }
  let headers = HTTPHeaders(secret)
  var dumped = ""
  dump(headers, to: &dumped)
  dump(first, to: &dumped)
  for text in [dumped, "\(headers)\(first)", String(reflecting: headers), String(reflecting: first)] {
    demand(!text.contains(marker), "a text tells a value: \(text)")
  }
}

private func checkTypes(_ types: [String], _ body: [UInt8]) {
  for type in types {
    let response = HTTPResponse(status: 200, headers: ["content-type": type], body: body)
    let twice = HTTPResponse(status: 200, headers: ["content-type": type, "Content-Type": type], body: body)
    demand(
      twice.mediaType == response.mediaType && twice.text == response.text, "the same type twice is another")
    if let (essence, charset) = SecondRules.mediaType(type) {
      demand(response.mediaType == essence, "the type \(response.mediaType ?? "none"), not \(essence)")
      checkText(response.text, body, charset ?? "utf-8")
    }
  }
  let all = HTTPResponse(
    status: 200, headers: HTTPHeaders(types.map { HTTPHeaders.Field("Content-Type", $0) }))
  let distinct = Set(types.map { HTTPResponse(status: 200, headers: ["Content-Type": $0]).mediaType })
  demand(all.mediaType == nil || distinct.count == 1, "types that differ are one")
}

private func checkText(_ text: String?, _ body: [UInt8], _ charset: String) {
  switch charset {
  case "utf-8", "utf8":
    let repaired = String(decoding: body, as: UTF8.self)
    let isValid = Array(repaired.utf8) == body
    demand(isValid ? text.map { Array($0.utf8) } == body : text == nil, "another text of UTF-8")
  case "us-ascii", "ascii":
    let isValid = body.allSatisfy { $0 < 128 }
    demand(isValid ? text.map { Array($0.utf8) } == body : text == nil, "another text of ASCII")
  case "iso-8859-1", "latin1":
    demand(
      text.map { $0.unicodeScalars.map(\.value) } == body.map { UInt32($0) }, "another text of ISO-8859-1")
  case "utf-16", "utf-16le", "utf-16be": break
  default: demand(text == nil, "a text of the charset \(charset)")
  }
}

/// The bytes of a name in small ASCII letters.
func small(_ name: String) -> [UInt8] { name.utf8.map { $0 >= 65 && $0 <= 90 ? $0 + 32 : $0 } }
