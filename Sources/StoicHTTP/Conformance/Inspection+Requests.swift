import Foundation

/// What of a request arrives.
extension Inspection {
  /// Makes an exchange with a station of its own.
  private func arrival(
    _ method: HTTPMethod = .get, suffix: String = "", headers: HTTPHeaders = [:], body: [UInt8] = []
  ) async throws -> (arrival: TransportConformance.Arrival?, path: String, words: String) {
    let station = serving(Response(body: method == .head ? [] : Array("ok".utf8)))
    defer { farEnd.close(station) }
    let request = request(station, method, suffix: suffix, headers: headers, body: body)
    let outcome = try await exchange(request, at: station)
    return (station.arrivals.first, TransportConformance.FarEnd.path(of: station), outcome.words)
  }

  func method() async throws -> Findings {
    let names = [
      "GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE", "QUERY", "PROPFIND", "patch",
    ]
    var findings: Findings = []
    for name in names {
      let (arrival, _, words) = try await arrival(HTTPMethod(name))
      if arrival?.method == name { continue }
      findings.append((.method, "\(name) arrived as \(arrival?.method ?? "nothing"); the exchange \(words)"))
    }
    return findings
  }

  func target() async throws -> Findings {
    let suffixes = [
      "", "/", "/a%2Fb", "/a%20b/%C3%A4", "/a;v=1/b:c@d", "?q=a%2Bb&c&d=", "/x?q=a+b", "//a",
    ]
    var findings: Findings = []
    for suffix in suffixes {
      let (arrival, path, words) = try await arrival(suffix: suffix)
      if arrival?.target.hasSuffix(path + suffix) == true { continue }
      findings.append((.target, "a target ending in '\(suffix)' did not arrive so; the exchange \(words)"))
    }
    return findings
  }

  func requestFields() async throws -> Findings {
    let headers: HTTPHeaders = [
      "X-Text": "a, b;c=\"d\"", "x-lower": "1", "X-Empty": "", "Authorization": "Bearer t", "Cookie": "a=b",
      "If-None-Match": "\"1\"", "Accept": "a/b", "Accept-Encoding": "identity", "Accept-Language": "de",
      "User-Agent": "me",
    ]
    let (arrival, _, words) = try await arrival(headers: headers)
    guard let arrival else { return [(.requestFields, "the request did not arrive; the exchange \(words)")] }
    return headers.filter { arrival.headers.values(for: $0.name) != [$0.value] }.map { field in
      (.requestFields, "\(field.name) arrived \(arrival.headers.contains(field.name) ? "changed" : "not")")
    }
  }

  func noExtraFields() async throws -> Findings {
    var findings: Findings = []
    for (method, body) in [(HTTPMethod.get, []), (.post, []), (.post, [1]), (.put, [1]), (.delete, [])]
      as [(
        HTTPMethod, [UInt8]
      )]
    {
      // What a client always sends; a transport that puts its own in their place has changed the request.
      var headers: HTTPHeaders = ["Accept": "*/*", "Accept-Encoding": "identity", "User-Agent": "me"]
      if !body.isEmpty { headers.add("Content-Type", "a/b") }
      let (arrival, _, words) = try await arrival(method, headers: headers, body: body)
      if arrival == nil {
        findings.append((.noExtraFields, "a \(method) did not arrive; the exchange \(words)"))
      }
      let extra = (arrival?.headers ?? [:]).map(\.name).filter { name in
        !headers.contains(name) && !HTTPHeaders.isTransports(name)
      }
      findings += extra.map { (.noExtraFields, "a \(method) with \(body.count) bytes arrived with \($0)") }
    }
    return findings
  }

  func requestBody() async throws -> Findings {
    var findings: Findings = []
    for (method, count) in [(HTTPMethod.post, 0), (.post, 1), (.put, 256), (.query, 1), (.patch, 70_000)] {
      let body = Self.bytes(count)
      let headers: HTTPHeaders = body.isEmpty ? [:] : ["Content-Type": "application/octet-stream"]
      let (arrival, _, words) = try await arrival(method, headers: headers, body: body)
      if arrival?.body == body { continue }
      let size = arrival.map { "\($0.body.count) bytes, or others," } ?? "nothing"
      findings.append((.requestBody, "of \(count) bytes \(size) arrived; the exchange \(words)"))
    }
    return findings
  }
}

extension HTTPHeaders {
  /// Whether a field is a transport's own: it frames the message or manages the connection.
  fileprivate static func isTransports(_ name: String) -> Bool {
    [
      "connection", "content-length", "expect", "host", "keep-alive", "proxy-connection", "te", "trailer",
      "transfer-encoding", "upgrade",
    ].contains(name.lowercased())
  }
}
