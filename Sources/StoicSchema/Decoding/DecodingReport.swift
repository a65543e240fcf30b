/// What came of decoding a document: the value if it fits, and everything there is to say about it.
///
/// Of each severity the first `maxIssues` are kept, in the order of the document; the totals count all.
public struct DecodingReport<Value> {
  /// The value; nil when there are errors.
  public let value: Value?

  /// Everything that was kept, whatever its severity, in the order of the document.
  public let issues: [ValidationIssue]

  /// How many errors there are in all.
  public let totalErrors: Int

  /// How many warnings there are in all.
  public let totalWarnings: Int

  /// How many repairs there are in all.
  public let totalRepairs: Int

  /// Why there is no value.
  public var errors: [ValidationIssue] { issues.filter { $0.severity == .error } }

  /// What deserves attention.
  public var warnings: [ValidationIssue] { issues.filter { $0.severity == .warning } }

  /// What was put right on the way.
  public var repairs: [ValidationIssue] { issues.filter { $0.severity == .repair } }

  init(value: Value?, context: DecodingContext) {
    self.value = value
    issues = context.issues()
    totalErrors = context[.error].total
    totalWarnings = context[.warning].total
    totalRepairs = context[.repair].total
  }
}

extension DecodingReport: Sendable where Value: Sendable {}

extension DecodingReport: Equatable where Value: Equatable {}
