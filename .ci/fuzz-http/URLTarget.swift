import Foundation

/// Builds where requests go: a base (tag `b`), a path (`p`) or a URL (`u`), query items (`q`, `name=value`),
/// and redirects (`l`) one after the other.
func fuzzURLs(_ pieces: [Piece]) {
  var bases = ["https://api.example.com:8443/v1/"]
  var targets: [HTTPRequest.Target] = []
  var items: [HTTPRequest.QueryItem] = []
  var redirects: [String] = []
  for piece in pieces {
    switch piece.tag {
    case "b": bases.append(piece.text)
    case "p": targets.append(.path(piece.text))
    case "u": URL(string: piece.text).map { targets.append(.url($0)) }
    case "q":
      let pair = piece.pair(at: UInt8(ascii: "="))
      items.append(HTTPRequest.QueryItem(pair.name, pair.value))
    case "l": redirects.append(piece.text)
    default: continue
    }
  }
  guard let url = URL(string: bases.last ?? ""), let base = try? BaseURL(url) else { return }
  for target in targets { checkTarget(target, items, base, redirects) }
  checkRedirects(redirects, base)
}

private let fields: HTTPHeaders = [
  "Authorization": "secret", "cookie": "secret", "X-Api-Key": "secret", "Accept": "text/plain",
  "User-Agent": "u",
]

private func checkTarget(
  _ target: HTTPRequest.Target, _ items: [HTTPRequest.QueryItem], _ base: BaseURL, _ redirects: [String]
) {
  guard let built = build(target, items, base) else {
    if case .path(let path) = target {
      demand(build(.path(path + "#"), items, base) == nil, "a fragment helps")
    }
    return
  }
  let text = built.location.text
  checkURL(built.location)
  if case .url(let url) = target {
    demand(url.user() == nil && url.password() == nil, "user info is dropped")
  }
  demand(
    built.headers.contains("Authorization") == (built.location.origin == base.origin), "defaults go elsewhere"
  )
  demand(build(.url(built.location.url), [], base)?.location.text == text, "\(text) changes as a URL")
  if case .path(let path) = target {
    // A fragment is not plain, and is never sent: this one goes the thorough way to the same place.
    let thorough = build(.path(path + "#"), items, base)?.location
    demand(thorough?.text == text && thorough?.path == built.location.path, "another text the thorough way")
    demand(thorough?.query == built.location.query, "another query the thorough way")
    checkBelow(built.location, base)
    if !path.utf8.contains(UInt8(ascii: "?")) { checkItems(items, built.location.query) }
  }
  var exchange = built
  for redirect in redirects { exchange = follow(redirect, from: exchange) ?? exchange }
}

private func build(_ target: HTTPRequest.Target, _ items: [HTTPRequest.QueryItem], _ base: BaseURL)
  -> Exchange?
{
  let request = HTTPRequest(method: .get, target: target, query: items, headers: [:], body: nil)
  return try? PreparedRequest(request, base: base, defaults: fields, key: nil).first
}

/// What every URL has to be, whatever it is made of: `scheme://host:port/path?query` of RFC 3986, in ASCII.
private func checkURL(_ location: Location) {
  let text = location.text
  demand(
    location.url.absoluteString == text, "\(text) is another to Foundation: \(location.url.absoluteString)")
  demand(isStrictURL(Array(text.utf8)), "\(text) is no URL by the RFC")
  demand(text.hasPrefix(location.origin.text + "/"), "\(text) is not of its origin")
  demand(
    text == location.origin.text + location.path + (location.query.map { "?" + $0 } ?? ""), "parts of \(text)"
  )
}

/// A path stays below the base's, also after one more decoding, and is the same when it is built again.
private func checkBelow(_ location: Location, _ base: BaseURL) {
  guard let root = build(.path("/"), [], base)?.location.text else { fatalError("there is no root") }
  demand(location.text.hasPrefix(root), "\(location.text) is not below \(root)")
  let rest = "/" + location.text.dropFirst(root.utf8.count)
  let path = Array(rest.utf8.prefix { $0 != UInt8(ascii: "?") })
  for segment in once(path).split(
    omittingEmptySubsequences: false, whereSeparator: { $0 == 0x2F || $0 == 0x5C })
  {
    // Stricter than staying below: dots that only a decoder sees are refused wherever they are.
    let name = segment.prefix { $0 != UInt8(ascii: ";") }
    demand(!name.elementsEqual("..".utf8), "\(location.text) leads upwards when decoded")
  }
  // Two slashes in front are refused as they are written, and may come of dot segments.
  if rest.hasPrefix("//") { return }
  demand(
    build(.path(rest), [], base)?.location.text == location.text, "\(location.text) changes when built again")
}

/// Every item arrives: cut at the delimiters and decoded, the query is what was asked for.
private func checkItems(_ items: [HTTPRequest.QueryItem], _ query: String?) {
  let pairs = (query.map { Array($0.utf8) } ?? []).split(
    separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
  let read =
    query == nil ? [] : pairs.map { $0.split(separator: UInt8(ascii: "="), omittingEmptySubsequences: false) }
  demand(read.count == items.count, "\(items.count) items have become \(read.count)")
  for (parts, item) in zip(read, items) {
    let wanted = [item.name, item.value].compactMap { $0 }.map { Array($0.utf8) }
    demand(parts.map { once(Array($0)) } == wanted, "an item has become another")
  }
}

private func checkRedirects(_ redirects: [String], _ base: BaseURL) {
  guard var exchange = build(.path("/a/b;c/d?e"), [], base) else { return }
  for redirect in redirects { exchange = follow(redirect, from: exchange) ?? exchange }
}

/// Follows a redirect, and checks where it leads and what travels.
private func follow(_ text: String, from exchange: Exchange) -> Exchange? {
  let response = HTTPResponse(status: 307, headers: ["Location": text])
  guard case .follow(let next) = Redirect(response, to: exchange, followed: 0, policy: .standard) else {
    return nil
  }
  let (from, to) = (exchange.location, next.location)
  checkURL(to)
  demand(from.origin.scheme == "http" || to.origin.scheme == "https", "https has become http")
  demand(next.method == exchange.method, "a 307 changes the method")
  let isSame = from.origin.text == to.origin.text
  for field in exchange.headers {
    let travels = isSame || ["accept", "user-agent"].contains(field.name.lowercased())
    demand(next.headers.contains(field.name) == travels, "\(field.name) from \(from.text) to \(to.text)")
  }
  let bytes = Array(text.utf8)
  demand(!RFCResolver.carriesUserInfo(bytes), "user info in \(text) is dropped")
  if let expected = RFCResolver.resolve(bytes, against: Array(from.text.utf8)), isStrictURL(expected) {
    demand(
      expected.elementsEqual(to.text.utf8),
      "\(to.text), by the RFC \(String(decoding: expected, as: UTF8.self))")
  }
  return next
}

/// The bytes with their escapes undone once.
private func once(_ bytes: [UInt8]) -> [UInt8] {
  var result: [UInt8] = []
  var rest = bytes[...]
  while let byte = rest.popFirst() {
    let digits = rest.prefix(2)
    if byte == UInt8(ascii: "%"), digits.count == 2, digits.allSatisfy(isHex),
      let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
    {
      result.append(value)
      rest = rest.dropFirst(2)
    } else {
      result.append(byte)
    }
  }
  return result
}
