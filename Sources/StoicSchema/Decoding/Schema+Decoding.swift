public import StoicJSON

extension Schema {
  /// Makes a Swift value of a JSON value.
  ///
  /// All of the document is looked at, so that the failure lists every issue and not only the first.
  /// Linear in the size of the document.
  ///
  /// - Parameter maxIssues: How many errors the failure lists; all are counted. Less than 0 is 0.
  /// - Throws: ``ValidationFailure`` when there is at least one error.
  public func decode(_ json: JSON, maxIssues: Int = 100) throws -> Value {
    var context = DecodingContext(keeping: maxIssues)
    return try value(of: json, &context)
  }

  /// Makes a Swift value of JSON text in UTF-8, such as `[UInt8]` or `Data`.
  ///
  /// A text that is not JSON is a failure with one issue: its code is `.syntax`, its offset the place of
  /// the error, its path that of the innermost value that had begun.
  ///
  /// - Parameter maxIssues: How many errors the failure lists; all are counted. Less than 0 is 0.
  /// - Throws: ``ValidationFailure`` when there is at least one error.
  public func decode(_ bytes: some Collection<UInt8>, maxIssues: Int = 100) throws -> Value {
    var context = DecodingContext(keeping: maxIssues)
    guard let json = context.parse(bytes) else { throw ValidationFailure(context) }
    return try value(of: json, &context)
  }

  /// Makes a Swift value of a JSON value, and reports errors, warnings and repairs.
  ///
  /// - Parameter maxIssues: How many issues of each severity are kept; all are counted. Less than 0 is 0.
  public func decodeReporting(_ json: JSON, maxIssues: Int = 100) -> DecodingReport<Value> {
    var context = DecodingContext(keeping: maxIssues)
    return report(on: json, &context)
  }

  /// Makes a Swift value of JSON text in UTF-8, and reports errors, warnings and repairs.
  ///
  /// A leading byte order mark is a repair; a text that is not JSON is one error with the code `.syntax`.
  ///
  /// - Parameter maxIssues: How many issues of each severity are kept; all are counted. Less than 0 is 0.
  public func decodeReporting(
    _ bytes: some Collection<UInt8>, maxIssues: Int = 100
  ) -> DecodingReport<Value> {
    var context = DecodingContext(keeping: maxIssues)
    guard let json = context.parse(bytes) else { return DecodingReport(value: nil, context: context) }
    return report(on: json, &context)
  }

  private func report(on json: JSON, _ context: inout DecodingContext) -> DecodingReport<Value> {
    let value = Place.filled { place in read(json, &context, place) }
    return DecodingReport(value: value, context: context)
  }

  private func value(of json: JSON, _ context: inout DecodingContext) throws(ValidationFailure) -> Value {
    try Place.filled(by: { place in read(json, &context, place) }, otherwise: { ValidationFailure(context) })
  }
}

extension ValidationFailure {
  fileprivate init(_ context: DecodingContext) {
    self.init(issues: context.issues(.error), total: context.totalErrors)
  }
}

extension DecodingContext {
  /// The value of a text, or nil and an issue.
  fileprivate mutating func parse(_ bytes: some Collection<UInt8>) -> JSON? {
    if bytes.first == 0xEF, bytes.startsWithByteOrderMark {
      record(.byteOrderMark, as: .repair, offset: 0, .sentence("skipped a byte order mark before the text"))
    }
    switch JSON.parse(bytes) {
    case .success(let json): return json
    case .failure(let error):
      recordSyntaxError(error)
      return nil
    }
  }

  private mutating func recordSyntaxError(_ error: JSONError) {
    let mark = mark
    record(
      .syntax, offset: error.offset,
      .sentence("\(error.reason) at line \(error.line), column \(error.column)"))
    for step in error.location.reversed() {
      switch step {
      case .key(let key): prepend(.key(key), since: mark)
      case .index(let index): prepend(.index(index), since: mark)
      }
    }
  }
}
