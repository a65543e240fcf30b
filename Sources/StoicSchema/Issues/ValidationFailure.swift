/// Every reason why a document does not fit a schema.
public struct ValidationFailure: Error, Sendable, Hashable {
  /// The errors in the order of the document; the first `maxIssues` of them, 100 unless told otherwise.
  public let issues: [ValidationIssue]

  /// How many errors there are, those that are not listed included.
  public let total: Int

  package init(issues: [ValidationIssue], total: Int? = nil) {
    self.issues = issues
    self.total = total ?? issues.count
  }
}

extension ValidationFailure: CustomStringConvertible {
  /// A short list: the number of issues, and a line for each of the first ten.
  public var description: String {
    let shown = issues.prefix(10)
    var lines = [total == 1 ? "1 issue" : "\(total) issues"]
    lines += shown.map { "  \($0)" }
    if total > shown.count { lines.append("  and \(total - shown.count) more") }
    return lines.joined(separator: "\n")
  }
}
