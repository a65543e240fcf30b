import Foundation

/// One exchange and no more, and what is said of a failure.
extension Inspection {
  func noRedirect() async throws -> Findings {
    var findings: Findings = []
    for (method, status) in [
      (HTTPMethod.get, 301), (.get, 302), (.get, 303), (.get, 307), (.get, 308), (.head, 302), (.post, 303),
      (.post, 307),
    ] {
      let target = serving(Response(body: Array("elsewhere".utf8)))
      let location = url(target)?.absoluteString ?? ""
      let station = serving(Response(status, headers: ["Location": location]))
      defer {
        farEnd.close(station)
        farEnd.close(target)
      }
      let body: [UInt8] = method == .post ? [1] : []
      let headers: HTTPHeaders = body.isEmpty ? [:] : ["Content-Type": "a/b"]
      let outcome = try await exchange(
        request(station, method, headers: headers, body: body), at: station)
      if !target.arrivals.isEmpty {
        findings.append((.noRedirect, "a \(status) to \(method) was followed"))
      } else if outcome.response?.status != status || outcome.response?.headers["Location"] != location {
        findings.append((.noRedirect, "a \(status) to \(method): \(outcome.words)"))
      }
    }
    return findings
  }

  func noRepeat() async throws -> Findings {
    var findings: Findings = []
    let cut = Response(body: [1], length: .declared(9), ending: .cut)
    let cases: [(words: String, method: HTTPMethod, response: Response?)] = [
      ("dropped", .post, nil), ("dropped", .get, nil), ("dropped", .put, nil), ("cut off", .delete, cut),
      ("answered 503", .post, Response(503, headers: ["Retry-After": "0"])),
      ("answered 429", .get, Response(429, headers: ["Retry-After": "0"])),
      ("answered 408", .post, Response(408)),
    ]
    for (words, method, response) in cases {
      // Leaves a connection behind, where connections are kept: whoever uses it again may find it closed.
      let first = serving(Response(body: [1]))
      _ = try await exchange(request(first), at: first)
      farEnd.close(first)
      let station = response.map { serving($0) } ?? dropping()
      defer { farEnd.close(station) }
      let body: [UInt8] = method == .get || method == .delete ? [] : [1]
      let headers: HTTPHeaders = body.isEmpty ? [:] : ["Content-Type": "a/b"]
      _ = try await exchange(
        request(station, method, headers: headers, body: body, mayRepeat: false), at: station)
      let count = station.arrivals.count
      if count != 1 { findings.append((.noRepeat, "a \(method) that was \(words) arrived \(count) times")) }
    }
    return findings
  }

  func noChallenge() async throws -> Findings {
    var findings: Findings = []
    for (status, field) in [(401, "WWW-Authenticate"), (407, "Proxy-Authenticate")] {
      for challenge in ["Basic realm=\"r\"", "Digest realm=\"r\", nonce=\"n\""] {
        let station = serving(Response(status, headers: [field: challenge], body: Array("no".utf8)))
        defer { farEnd.close(station) }
        let outcome = try await exchange(request(station), at: station)
        let response = outcome.response
        if response?.status == status, response?.text == "no", station.arrivals.count == 1 { continue }
        findings.append(
          (.noChallenge, "a \(status) arrived \(station.arrivals.count) times; the exchange \(outcome.words)")
        )
      }
    }
    return findings
  }

  func wholeOrFailed() async throws -> Findings {
    var findings: Findings = []
    for (words, length) in [("declared", Response.Length.declared(100)), ("undeclared", .undeclared)] {
      let station = serving(Response(body: Self.bytes(5), length: length, ending: .cut))
      defer { farEnd.close(station) }
      let outcome = try await exchange(request(station), at: station)
      if case .failed = outcome { continue }
      findings.append((.wholeOrFailed, "a body of \(words) length that was cut: \(outcome.words)"))
    }
    return findings
  }

  func honestFailure() async throws -> Findings {
    var findings: Findings = []
    for method in [HTTPMethod.get, .post] {
      let station = dropping()
      defer { farEnd.close(station) }
      let outcome = try await exchange(request(station, method, mayRepeat: false), at: station)
      if let failure = Self.stated(outcome), failure.mayHaveActed { continue }
      findings.append((.honestFailure, "a \(method) that arrived and got no answer \(outcome.words)"))
    }
    guard let refusing else { return findings }
    let outcome = try await exchange(TransportRequest(method: .get, url: refusing), at: nil)
    if Self.stated(outcome) == TransportError(code: .cannotConnectToHost, mayHaveActed: false) {
      return findings
    }
    findings.append((.honestFailure, "a refused connection \(outcome.words)"))
    return findings
  }

  /// A failure in the words that transports have to use; nil for others.
  private static func stated(_ outcome: Outcome) -> TransportError? {
    guard case .failed(let error) = outcome, error is TransportError || error is URLError else { return nil }
    return TransportError(taking: error)
  }
}
