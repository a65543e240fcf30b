public import StoicJSON

extension Schema {
  /// Makes a Swift value of a JSON value.
  ///
  /// All of the document is looked at, so that the failure lists every issue and not only the first.
  /// Linear in the size of the document; at most 100 issues are kept.
  ///
  /// - Throws: ``ValidationFailure`` when there is at least one error.
  public func decode(_ json: JSON) throws -> Value {
    try value(of: decodeReporting(json))
  }

  /// Makes a Swift value of JSON text in UTF-8, such as `[UInt8]` or `Data`.
  ///
  /// A text that is not JSON is a failure with one issue: its code is `.syntax`, its offset the place of
  /// the error, its path that of the innermost value that had begun.
  ///
  /// - Throws: ``ValidationFailure`` when there is at least one error.
  public func decode(_ bytes: some Collection<UInt8>) throws -> Value {
    try value(of: decodeReporting(bytes))
  }

  /// Makes a Swift value of a JSON value, and reports errors, warnings and repairs.
  public func decodeReporting(_ json: JSON) -> DecodingReport<Value> {
    var context = DecodingContext()
    return report(on: json, &context)
  }

  /// Makes a Swift value of JSON text in UTF-8, and reports errors, warnings and repairs.
  ///
  /// A leading byte order mark is a repair; a text that is not JSON is one error with the code `.syntax`.
  public func decodeReporting(_ bytes: some Collection<UInt8>) -> DecodingReport<Value> {
    var context = DecodingContext()
    if bytes.startsWithByteOrderMark {
      context.record(.byteOrderMark, as: .repair, offset: 0, "skipped a byte order mark before the text")
    }
    switch JSON.parse(bytes) {
    case .success(let json):
      return report(on: json, &context)
    case .failure(let error):
      context.recordSyntaxError(error)
      return DecodingReport(value: nil, context: context)
    }
  }

  private func report(on json: JSON, _ context: inout DecodingContext) -> DecodingReport<Value> {
    let value = read(json, &context)
    return DecodingReport(value: context.total(.error) == 0 ? value : nil, context: context)
  }

  private func value(of report: DecodingReport<Value>) throws(ValidationFailure) -> Value {
    guard let value = report.value else {
      throw ValidationFailure(issues: report.errors, total: report.totalErrors)
    }
    return value
  }
}

extension DecodingContext {
  mutating func recordSyntaxError(_ error: JSONError) {
    let mark = mark
    record(.syntax, offset: error.offset, "\(error.reason) at line \(error.line), column \(error.column)")
    for step in error.location.reversed() {
      switch step {
      case .key(let key): prepend(.key(key), since: mark)
      case .index(let index): prepend(.index(index), since: mark)
      }
    }
  }
}
