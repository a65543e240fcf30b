/// What came of decoding a document: the value if it fits, and everything there is to say about it.
public struct DecodingReport<Value> {
  /// The value; nil when there are errors.
  public let value: Value?

  /// Why there is no value; the first 100.
  public let errors: [ValidationIssue]

  /// What deserves attention; the first 100.
  public let warnings: [ValidationIssue]

  /// What was put right on the way; the first 100.
  public let repairs: [ValidationIssue]

  /// How many errors there are in all.
  public let totalErrors: Int

  /// How many warnings there are in all.
  public let totalWarnings: Int

  /// How many repairs there are in all.
  public let totalRepairs: Int

  init(value: Value?, context: DecodingContext) {
    self.value = value
    errors = context.issues(.error)
    warnings = context.issues(.warning)
    repairs = context.issues(.repair)
    totalErrors = context.total(.error)
    totalWarnings = context.total(.warning)
    totalRepairs = context.total(.repair)
  }
}

extension DecodingReport: Sendable where Value: Sendable {}

extension DecodingReport: Equatable where Value: Equatable {}
