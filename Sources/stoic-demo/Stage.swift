import Stoic
import StoicHTTP
import StoicLocalServer
import StoicSchema

/// What one scenario plays on: its servers, its call, and what it finds.
final class Stage {
  /// How a call ended.
  struct Ending {
    /// What the caller got, or the word for the failure.
    let outcome: String
    /// The attempts that reached the transport.
    let attempts: Int
    /// The failure, if it was one.
    let error: HTTPError?
  }

  /// In front of every line of a scenario.
  static let indent = "    "

  private let console: Console
  private var servers: [LocalServer] = []
  private var findings: [String] = []
  private var mismatches: [String] = []

  init(on console: Console) {
    self.console = console
  }

  /// Starts a server that gives its answers in this order, one a request, the last one to all further requests.
  func server(answering answers: LocalServer.Response...) async throws -> LocalServer {
    let count = Lock(0)
    let server = try await LocalServer.start { _ in
      let index = count.withLock { count in
        defer { count += 1 }
        return count
      }
      return answers[min(index, answers.count - 1)]
    }
    servers.append(server)
    return server
  }

  /// Makes a call through a client of its own, and tells its story.
  ///
  /// - Parameter send: sends the request; returns what the caller got, in a few words.
  func call(
    _ request: HTTPRequest, at server: LocalServer, policy: HTTPPolicy = .demo, headers: HTTPHeaders = [:],
    _ send: (HTTPClient, HTTPRequest) async throws -> String
  ) async throws -> Ending {
    let client = HTTPClient(base: server.baseURL, policy: policy, headers: headers, label: "demo")
    console.line("\(Self.indent)\(request) at port \(server.port)")
    let timeline = Timeline(
      on: console, indent: Self.indent + "  ", attemptTimeout: policy.attemptTimeout)
    do {
      let outcome = try await withEvents(timeline) { try await send(client, request) }
      timeline.line("→ \(outcome)")
      return Ending(outcome: outcome, attempts: timeline.attempts, error: nil)
    } catch let error as HTTPError {
      tell(error, on: timeline)
      return Ending(outcome: timeline.failure ?? "failed", attempts: timeline.attempts, error: error)
    }
  }

  private func tell(_ error: HTTPError, on timeline: Timeline) {
    guard case .decoding(let failure, _) = error else { return timeline.line("→ failed: \(error)") }
    timeline.line("→ failed: the body is not what the schema describes")
    for issue in failure.issues { timeline.line("  \(issue)") }
  }

  /// Notes a fact and whether it is the expected one.
  func expect<Fact: Equatable>(_ what: String, _ found: Fact, is expected: Fact) {
    expect(what, "\(found)", found == expected, wanted: "\(expected)")
  }

  /// Notes whether something is so, as it has to be.
  func expect(_ what: String, holds: Bool) {
    expect(what, holds ? "yes" : "no", holds, wanted: "yes")
  }

  /// Notes a fact and whether it holds.
  func expect(_ what: String, _ found: String, _ holds: Bool, wanted: String) {
    findings.append("\(what): \(found)")
    if !holds { mismatches.append("\(what): expected \(wanted), came \(found)") }
  }

  /// Notes that the scenario could not be played to its end.
  func fail(_ reason: String) { mismatches.append(reason) }

  /// Whether everything noted was as expected, and something was noted.
  var isAsExpected: Bool { mismatches.isEmpty && !findings.isEmpty }

  /// Stops the servers and reports what was found.
  func close() {
    for server in servers { server.stop() }
    if isAsExpected {
      console.line("\(Self.indent)✓ \(findings.joined(separator: " · "))", .good)
    }
    for mismatch in mismatches {
      console.line("\(Self.indent)✗ \(mismatch)", .bad)
    }
  }
}

extension HTTPPolicy {
  /// The standard policy with shorter waits, without jitter, so that a reader can follow how they grow.
  static var demo: HTTPPolicy {
    var policy = HTTPPolicy.standard
    policy.retry.base = .milliseconds(100)
    policy.retry.jitter = .none
    return policy
  }
}
