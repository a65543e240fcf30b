public import Foundation
import Stoic

/// Checks whether a transport keeps the obligations of ``HTTPTransport``, in any test framework.
///
/// A check needs a far end that the transport reaches: a ``FarEnd`` holds what a server has to do, and a server, or
/// something in memory that takes its place, does it.
///
/// ```swift
/// let farEnd = TransportConformance.FarEnd()
/// let server = try await MyTestServer.start { request in  // cancelled when its client leaves
///   await request.send(farEnd.answer(request.arrival))
/// }
/// let report = try await TransportConformance.check(MyTransport(), at: server.baseURL, farEnd: farEnd)
/// try report.verify()  // or, for what cannot be helped: verify(knownLimits: [.fieldsApart])
/// ```
///
/// The check measures time on the ambient clock: a transport in memory is checked in virtual time inside `simulate`. Over
/// sockets it waits for events, and time passes only in the two cases of a timeout, and where a rule is broken.
public enum TransportConformance {
  /// Checks a transport.
  ///
  /// The cases run one after another, 160 exchanges. What an exchange that does not end holds is let go of; one
  /// that does not end even then is left behind.
  ///
  /// - Parameters:
  ///   - transport: what to check.
  ///   - base: where the far end is reached: absolute, `http` or `https`; a path is kept, a query is not.
  ///   - farEnd: what answers there.
  ///   - refusing: a URL at which nobody listens, to check a refused connection; nil leaves that case out.
  ///   - rules: what to check.
  ///   - timeout: the request's timeout in the two cases of one; at least a millisecond.
  ///   - patience: how long anything may take that is to happen at once; less than a millisecond counts as one. In virtual
  ///     time a short one is a sharp one.
  /// - Returns: what was found.
  /// - Throws: `CancellationError` when the calling task is cancelled, and nothing else; the exchange under way is then
  ///   cancelled and not waited for.
  public static func check(
    _ transport: any HTTPTransport, at base: URL, farEnd: FarEnd, refusing: URL? = nil,
    rules: Set<Rule> = Set(Rule.allCases), timeout: Duration = .milliseconds(100),
    patience: Duration = .seconds(10)
  ) async throws -> Report {
    let inspection = Inspection(
      transport: transport, base: base, farEnd: farEnd, refusing: refusing,
      timeout: max(timeout, .milliseconds(1)), patience: max(patience, .milliseconds(1)))
    let skipped: Set<Rule> = transport.enforcesTimeout ? [] : [.timeout]
    let asked = rules.subtracting(skipped)
    var findings: [Rule: [String]] = [:]
    for probe in Inspection.probes where !asked.isDisjoint(with: probe.rules) {
      try Task.checkCancellation()
      for finding in try await probe.run(inspection) {
        findings[finding.rule, default: []].append(finding.text)
      }
    }
    try Task.checkCancellation()
    let inOrder = Rule.allCases
    return Report(
      checked: inOrder.filter(asked.contains), skipped: inOrder.filter(rules.intersection(skipped).contains),
      violations: inOrder.filter(asked.contains).compactMap { rule in
        findings[rule].map { Violation(rule: rule, findings: $0) }
      })
  }
}

extension Inspection {
  /// What looks into some rules.
  struct Probe: Sendable {
    let rules: Set<Rule>
    let run: @Sendable (Inspection) async throws -> Findings

    init(_ rules: Rule..., run: @escaping @Sendable (Inspection) async throws -> Findings) {
      self.rules = Set(rules)
      self.run = run
    }
  }

  /// All probes; a rule that depends on another one being kept is looked into by the same.
  static let probes = [
    Probe(.method) { try await $0.method() },
    Probe(.target) { try await $0.target() },
    Probe(.requestFields) { try await $0.requestFields() },
    Probe(.noExtraFields) { try await $0.noExtraFields() },
    Probe(.requestBody) { try await $0.requestBody() },
    Probe(.statuses, .redirectBody) { try await $0.statuses() },
    Probe(.responseFields) { try await $0.responseFields() },
    Probe(.responseBody) { try await $0.responseBody() },
    Probe(.repeatedFields, .fieldsApart, .fieldNameCase) { try await $0.repeatedFields() },
    Probe(.bodiless) { try await $0.bodiless() },
    Probe(.responseLimit, .truncationFlag) { try await $0.responseLimit() },
    Probe(.noRedirect) { try await $0.noRedirect() },
    Probe(.noRepeat) { try await $0.noRepeat() },
    Probe(.noChallenge) { try await $0.noChallenge() },
    Probe(.wholeOrFailed) { try await $0.wholeOrFailed() },
    Probe(.honestFailure) { try await $0.honestFailure() },
    Probe(.timeout) { try await $0.timeouts() },
    Probe(.cancellation) { try await $0.cancellation() },
    Probe(.answersApart) { try await $0.answersApart() },
    Probe(.noCache) { try await $0.noCache() },
    Probe(.noCookies) { try await $0.noCookies() },
  ]
}
