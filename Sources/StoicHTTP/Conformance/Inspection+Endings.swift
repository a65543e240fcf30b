import Foundation
import Stoic

/// How exchanges end that are ended: by their timeout, by their caller.
extension Inspection {
  /// A server that begins a body and does not end it.
  private var unfinished: Response { Response(body: [1], length: .declared(1_000), ending: .stalled) }

  func timeouts() async throws -> Findings {
    var findings: Findings = []
    for (words, response) in [("silence", nil), ("an unfinished body", unfinished)] {
      let station = response.map { serving($0) } ?? silence()
      defer { farEnd.close(station) }
      let sending = start(request(station, timeout: timeout))
      let outcome = try await end(of: sending, at: station, within: timeout.saturatingAdd(patience))
      let elapsed = sending.start.duration(to: Ambient.clock.now)
      if !Self.isTimeout(outcome) {
        findings.append((.timeout, "an exchange that met \(words) \(outcome.words)"))
      } else if elapsed < timeout {
        findings.append(
          (.timeout, "an exchange that met \(words) ended after \(elapsed.text) of \(timeout.text)"))
      } else if response == nil, station.arrived.current != nil,
        try await station.departed.value(within: patience) == nil
      {
        findings.append((.timeout, "an exchange that met \(words) went on at the far end"))
      }
    }
    return findings
  }

  func cancellation() async throws -> Findings {
    var findings: Findings = []
    for (words, response) in [("silence", nil), ("an unfinished body", unfinished)] {
      let station = response.map { serving($0) } ?? silence()
      defer { farEnd.close(station) }
      let sending = start(request(station))
      guard try await hasArrived(sending, at: station) else {
        let outcome = try await end(of: sending, at: station, within: .zero)
        findings.append(
          (.cancellation, "a request to be cancelled did not arrive; the exchange \(outcome.words)"))
        continue
      }
      sending.task.cancel()
      let outcome = try await end(of: sending, at: station)
      if !Self.isCancellation(outcome) {
        findings.append((.cancellation, "an exchange cancelled in \(words) \(outcome.words)"))
      } else if response == nil, try await station.departed.value(within: patience) == nil {
        findings.append((.cancellation, "an exchange cancelled in \(words) went on at the far end"))
      }
    }
    let station = serving(Response())
    defer { farEnd.close(station) }
    let outcome = try await end(of: start(request(station), cancelled: true), at: station)
    if !Self.isCancellation(outcome) {
      findings.append((.cancellation, "an exchange of a cancelled task \(outcome.words)"))
    } else if !station.arrivals.isEmpty {
      findings.append((.cancellation, "a request of a cancelled task was sent"))
    }
    return findings
  }

  private func hasArrived(_ sending: Sending, at station: Station) async throws -> Bool {
    do { return try await station.arrived.value(within: patience) != nil } catch {
      sending.task.cancel()
      throw error
    }
  }

  private static func isTimeout(_ outcome: Outcome) -> Bool {
    guard case .failed(let error) = outcome else { return false }
    return (error as? TransportError)?.code == .timedOut || (error as? URLError)?.code == .timedOut
  }

  private static func isCancellation(_ outcome: Outcome) -> Bool {
    guard case .failed(let error) = outcome else { return false }
    return error is CancellationError || (error as? TransportError)?.code == .cancelled
      || (error as? URLError)?.code == .cancelled
  }
}
