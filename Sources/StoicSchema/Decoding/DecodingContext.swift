import StoicJSON

/// Collects the issues of one decoding.
///
/// An issue is recorded where it is found, without a path; each enclosing schema then prepends its own
/// step. A document without issues so pays nothing for paths.
struct DecodingContext {
  private struct Pending {
    var innermostFirst: [ValidationIssue.Path.Element] = []
    let code: ValidationIssue.Code
    let severity: ValidationIssue.Severity
    let message: String
    let offset: Int?
  }

  /// How many issues of each severity are kept; the others are only counted.
  static let keptPerSeverity = 100

  private var pending: [Pending] = []
  private var totals: [ValidationIssue.Severity: Int] = [:]

  /// The number of issues kept so far, for `prepend`.
  var mark: Int { pending.count }

  /// Counts an issue, and keeps it unless there are too many already.
  mutating func record(
    _ code: ValidationIssue.Code, as severity: ValidationIssue.Severity = .error, offset: Int? = nil,
    _ message: @autoclosure () -> String
  ) {
    totals[severity, default: 0] += 1
    if total(severity) > Self.keptPerSeverity { return }
    pending.append(Pending(code: code, severity: severity, message: message(), offset: offset))
  }

  /// Records that a value is not of the expected kind; null has a code of its own.
  mutating func recordMismatch(expected: String, found value: JSON) {
    record(value.isNull ? .null : .type, "expected \(expected), found \(value.kind.rawValue)")
  }

  /// Puts a step before the paths of all issues kept since `mark`.
  mutating func prepend(_ element: ValidationIssue.Path.Element, since mark: Int) {
    for position in mark..<pending.count {
      pending[position].innermostFirst.append(element)
    }
  }

  func issues(_ severity: ValidationIssue.Severity) -> [ValidationIssue] {
    pending.filter { $0.severity == severity }.map { issue in
      ValidationIssue(
        path: ValidationIssue.Path(issue.innermostFirst.reversed()), code: issue.code, severity: severity,
        message: issue.message, offset: issue.offset)
    }
  }

  func total(_ severity: ValidationIssue.Severity) -> Int {
    totals[severity] ?? 0
  }
}
