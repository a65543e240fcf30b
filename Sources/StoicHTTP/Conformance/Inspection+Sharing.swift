import Foundation
import Stoic

/// Exchanges that must know nothing of each other.
extension Inspection {
  func answersApart() async throws -> Findings {
    let count = 8
    let arrived = Lock(0)
    let gate = Latch<Void>()
    // Answers wait for each other, so that the exchanges overlap where the transport lets them.
    let plan: Station.Plan = { arrival, _ in
      let isLast = arrived.withLock { arrived in
        arrived += 1
        return arrived == count
      }
      if isLast { gate.set(()) }
      try await gate.value()
      let own = Array(arrival.target.utf8) + arrival.body
      return .response(Response(headers: ["X-Body": "\(arrival.body.count)"], body: own))
    }
    let shared = farEnd.open(plan)
    let stations = (0..<count).map { $0 < count / 2 ? farEnd.open(plan) : shared }
    let sendings = stations.enumerated().map { number, station in
      let body = station === shared ? Self.bytes(number + 1) : []
      let headers: HTTPHeaders = body.isEmpty ? [:] : ["Content-Type": "a/b"]
      return start(request(station, body.isEmpty ? .get : .post, headers: headers, body: body))
    }
    defer {
      gate.set(())
      for sending in sendings { sending.task.cancel() }
      for station in stations { farEnd.close(station) }
    }
    // A transport may let only a few of them out at once.
    _ = try await gate.value(within: timeout)
    gate.set(())
    var findings: Findings = []
    for (number, (sending, station)) in zip(sendings, stations).enumerated() {
      let outcome = try await end(of: sending, at: station)
      let body = station === shared ? Self.bytes(number + 1) : []
      let end = Array(TransportConformance.FarEnd.path(of: station).utf8) + body
      if let response = outcome.response, response.body.suffix(end.count).elementsEqual(end),
        response.headers["X-Body"] == "\(body.count)"
      {
        continue
      }
      findings.append(
        (.answersApart, "one of \(count) exchanges at once got no answer of its own: \(outcome.words)"))
    }
    return findings
  }

  func noCache() async throws -> Findings {
    let headers: HTTPHeaders = [
      "Cache-Control": "public, max-age=3600", "ETag": "\"1\"", "Date": "Mon, 19 Jan 2026 00:00:00 GMT",
    ]
    let station = serving(
      Response(headers: headers, body: Array("first".utf8)),
      Response(headers: headers, body: Array("second".utf8)))
    defer { farEnd.close(station) }
    var findings: Findings = []
    for text in ["first", "second"] {
      let outcome = try await exchange(request(station), at: station)
      if outcome.response?.text == text { continue }
      findings.append(
        (.noCache, "the \(text) exchange with a URL did not get the \(text) answer: \(outcome.words)"))
    }
    if station.arrivals.last?.headers.contains("If-None-Match") == true {
      findings.append((.noCache, "an exchange asked whether an earlier answer still holds"))
    }
    return findings
  }

  func noCookies() async throws -> Findings {
    let station = serving(Response(headers: ["Set-Cookie": "kept=1; Path=/"]))
    defer { farEnd.close(station) }
    for _ in 0..<2 { _ = try await exchange(request(station), at: station) }
    guard station.arrivals.contains(where: { $0.headers.contains("Cookie") }) else { return [] }
    return [(.noCookies, "a cookie of one exchange came with another")]
  }
}
