import Foundation

/// What of a response is delivered.
extension Inspection {
  /// Makes an exchange with a station of its own.
  private func answer(
    _ response: Response, to method: HTTPMethod = .get, headers: HTTPHeaders = [:], limit: Int = 1 << 20
  ) async throws -> (outcome: Outcome, arrival: TransportConformance.Arrival?, request: TransportRequest) {
    let station = serving(response)
    defer { farEnd.close(station) }
    let request = request(station, method, headers: headers)
    let outcome = try await exchange(request, at: station, limit: limit)
    return (outcome, station.arrivals.first, request)
  }

  func statuses() async throws -> Findings {
    // 401 and 407 need a challenge, and have a rule of their own.
    let statuses =
      [
        200, 201, 202, 203, 204, 205, 206, 207, 208, 226, 299, 300, 301, 302, 303, 304, 305, 307, 308, 399,
        400,
      ]
      + Array(402...406) + Array(408...418) + Array(421...426) + [428, 429, 431, 451, 499]
      + Array(500...508) + [510, 511, 520, 599]
    var findings: Findings = []
    for status in statuses {
      let body: [UInt8] = [204, 205, 304].contains(status) ? [] : Array("\(status)".utf8)
      let (outcome, _, _) = try await answer(Response(status, body: body))
      let isDelivered = outcome.response?.status == status
      if isDelivered, outcome.response?.body == body { continue }
      let rule: Rule = isDelivered && (300...399).contains(status) ? .redirectBody : .statuses
      findings.append((rule, "a \(status) with \(body.count) bytes \(outcome.words)"))
    }
    return findings
  }

  func responseFields() async throws -> Findings {
    let headers: HTTPHeaders = [
      "X-Text": "a, b;c=\"d\"", "x-lower": "1", "X-Empty": "", "ETag": "\"1\"", "Retry-After": "30",
      "Content-Type": "text/plain; charset=utf-8", "Date": "Mon, 19 Jan 2026 00:00:00 GMT",
      "Set-Cookie": "a=b",
    ]
    let (outcome, _, request) = try await answer(Response(headers: headers, body: [1]))
    guard let response = outcome.response else {
      return [(.responseFields, "a response with fields: \(outcome.words)")]
    }
    var findings: Findings = headers.filter { response.headers.values(for: $0.name) != [$0.value] }.map {
      field in
      let isThere = response.headers.contains(field.name)
      return (.responseFields, "\(field.name) was delivered \(isThere ? "changed" : "not")")
    }
    if response.url != request.url { findings.append((.responseFields, "the URL is not the request's")) }
    return findings
  }

  func responseBody() async throws -> Findings {
    var findings: Findings = []
    for count in [0, 1, 256, 70_000] {
      let body = Self.bytes(count)
      for (length, words) in [(Response.Length.declared(count), "declared"), (.undeclared, "undeclared")] {
        let (outcome, _, _) = try await answer(Response(body: body, length: length))
        if outcome.response?.body == body { continue }
        findings.append((.responseBody, "of \(count) bytes, \(words): \(outcome.words)"))
      }
    }
    return findings
  }

  func repeatedFields() async throws -> Findings {
    let headers: HTTPHeaders = [
      "X-Tag": "a", "Set-Cookie": "a=1; Expires=Mon, 19 Jan 2026 00:00:00 GMT", "X-Tag": "b",
      "Set-Cookie": "b=2", "X-Tag": "c", "X-Case": "1", "x-case": "2",
    ]
    let request: HTTPHeaders = ["X-Tag": "a", "X-Other": "1", "X-Tag": "b", "x-tag": "c"]
    let (outcome, arrival, _) = try await answer(Response(headers: headers), headers: request)
    guard let response = outcome.response, let arrival else {
      return [(.repeatedFields, "an exchange with repeated fields \(outcome.words)")]
    }
    var findings: Findings = []
    func compare(_ name: String, _ found: HTTPHeaders, _ sent: HTTPHeaders, _ rule: Rule, _ way: String) {
      let (found, sent) = (found.values(for: name), sent.values(for: name))
      guard found != sent else { return }
      let isJoined = found.joinedByCommas == sent.joinedByCommas
      let words = isJoined ? "joined" : "incomplete or in another order"
      findings.append((isJoined ? .fieldsApart : rule, "\(name) of a \(way) came \(words)"))
    }
    compare("X-Tag", arrival.headers, request, .repeatedFields, "request")
    compare("X-Tag", response.headers, headers, .repeatedFields, "response")
    compare("Set-Cookie", response.headers, headers, .repeatedFields, "response")
    // A transport that loses repeated fields loses these too: nothing new is learnt then.
    guard !findings.contains(where: { $0.rule == .repeatedFields }) else { return findings }
    if !["1,2", "2,1"].contains(response.headers.values(for: "X-Case").joinedByCommas) {
      findings.append((.fieldNameCase, "of X-Case and x-case one was lost"))
    }
    return findings
  }

  func bodiless() async throws -> Findings {
    var findings: Findings = []
    let long = Response.Length.declared(50_000_000)
    for (method, response) in [
      (HTTPMethod.head, Response(length: long)), (.head, Response(404, length: long)), (.get, Response(204)),
      (.get, Response(205)), (.get, Response(304, length: long)),
    ] {
      let (outcome, _, _) = try await answer(response, to: method, limit: 10)
      guard let found = outcome.response, found.status == response.status, found.body.isEmpty,
        !found.isTruncated
      else {
        let flag = outcome.response?.isTruncated == true ? ", truncated" : ""
        findings.append((.bodiless, "a \(response.status) to \(method): \(outcome.words)\(flag)"))
        continue
      }
    }
    return findings
  }

  func responseLimit() async throws -> Findings {
    let limit = 1_000
    let cases: [(words: String, limit: Int, response: Response, isLonger: Bool)] = [
      ("declared far over the limit", limit, over(limit, sending: 64, length: .declared(1 << 30)), true),
      ("declared, one over the limit", limit, over(limit, sending: limit + 1), true),
      ("undeclared, without an end", limit, over(limit, sending: limit * 2, length: .undeclared), true),
      ("a failure without an end", limit, over(limit, 503, sending: limit * 2, length: .undeclared), true),
      ("declared, of the limit's length", limit, Response(body: Self.bytes(limit)), false),
      (
        "undeclared, of the limit's length", limit, Response(body: Self.bytes(limit), length: .undeclared),
        false
      ),
      ("one byte, with a limit of none", 0, Response(body: [7]), true),
      ("empty, with a limit of none", 0, Response(), false),
    ]
    var findings: Findings = []
    for (words, limit, response, isLonger) in cases {
      let (outcome, _, _) = try await answer(response, limit: limit)
      let isHeld =
        outcome.response.map { found in
          found.status == response.status
            && response.headers.allSatisfy { found.headers[$0.name] == $0.value }
            && found.body.count <= limit && response.body.starts(with: found.body)
        } ?? false
      if !isHeld {
        findings.append((.responseLimit, "a body \(words): \(outcome.words)"))
      } else if outcome.response?.isTruncated != isLonger {
        findings.append((.truncationFlag, "a body \(words): \(isLonger ? "not " : "")marked as truncated"))
      } else if !isLonger, outcome.response?.body != response.body {
        findings.append((.responseLimit, "a body \(words): \(outcome.words)"))
      }
    }
    return findings
  }

  /// A response with more than the limit, of which only a part comes, except where it is all.
  private func over(
    _ limit: Int, _ status: Int = 200, sending count: Int, length: Response.Length? = nil
  ) -> Response {
    Response(
      status, headers: ["X-Head": "kept"], body: Self.bytes(count), length: length,
      ending: length == nil ? .whole : .stalled)
  }
}

extension [String] {
  /// The values as one, as a field that repeats may be joined (RFC 9110, section 5.3), without blanks after commas.
  fileprivate var joinedByCommas: String {
    joined(separator: ",").split(separator: ",", omittingEmptySubsequences: false)
      .map(\.trimmingBlanks).joined(separator: ",")
  }
}
