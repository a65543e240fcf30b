import Testing

/// A place that breaks a rule, and what to do about it.
struct Violation: Hashable, CustomStringConvertible {
  let path: String
  let line: Int
  let advice: String

  var description: String { "\(path):\(line): \(advice)" }
}

/// Fails the test once for each violation, in the order of the files.
func report(_ violations: [Violation], sourceLocation: SourceLocation = #_sourceLocation) {
  for violation in violations.sorted(by: { ($0.path, $0.line) < ($1.path, $1.line) }) {
    Issue.record("\(violation)", sourceLocation: sourceLocation)
  }
}
