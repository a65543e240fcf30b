extension TransportConformance {
  /// A rule that a transport does not keep, and how.
  public struct Violation: Sendable, Hashable {
    /// The rule.
    public let rule: Rule
    /// What happened in each case that went wrong, for people.
    public let findings: [String]
  }

  /// What a check found.
  public struct Report: Sendable, Hashable {
    /// The rules that were checked, in the order of their declaration.
    public let checked: [Rule]
    /// The rules that do not concern the transport: the timeout of one that does not enforce it.
    public let skipped: [Rule]
    /// The rules that the transport does not keep, in the order of their declaration.
    public let violations: [Violation]

    /// The rules that the transport does not keep, without the findings.
    public var violated: Set<Rule> { Set(violations.map(\.rule)) }

    /// Fails where the transport breaks other rules than those that are known, or keeps a known one after all.
    ///
    /// - Parameter knownLimits: the rules that the transport is known not to keep.
    /// - Throws: ``Failure``.
    public func verify(knownLimits: Set<Rule> = []) throws {
      let unexpected = violations.filter { !knownLimits.contains($0.rule) }
      let kept = checked.filter { knownLimits.contains($0) && !violated.contains($0) }
      guard unexpected.isEmpty, kept.isEmpty else { throw Failure(violations: unexpected, kept: kept) }
    }
  }

  /// A transport does not conform as expected.
  public struct Failure: Error, Sendable, Hashable {
    /// The rules that it does not keep, beyond the known limits.
    public let violations: [Violation]
    /// Known limits that are none: rules that it keeps.
    public let kept: [Rule]
  }
}

extension TransportConformance.Violation: CustomStringConvertible {
  /// The rule's name and the findings, a line each.
  public var description: String {
    "\(rule):" + findings.map { "\n  - \($0)" }.joined()
  }
}

extension TransportConformance.Report: CustomStringConvertible {
  /// How many rules are kept, and each that is not.
  public var description: String {
    let skips = skipped.isEmpty ? "" : "; not checked: \(skipped.map(\.rawValue).joined(separator: ", "))"
    return "\(checked.count - violations.count) of \(checked.count) rules kept\(skips)"
      + violations.map { "\n\($0)" }.joined()
  }
}

extension TransportConformance.Failure: CustomStringConvertible {
  /// Each rule that is not kept with what was found, and each known limit that is none: one line, as logs of test
  /// runs show the first line of an error and no other.
  public var description: String {
    let broken = violations.map { "\($0.rule) (\($0.findings.joined(separator: "; ")))" }
    let names = kept.map(\.rawValue).joined(separator: ", ")
    let limits = kept.isEmpty ? [] : ["kept, although a known limit: \(names)"]
    return "the transport does not conform: \((broken + limits).joined(separator: "; "))"
  }
}
