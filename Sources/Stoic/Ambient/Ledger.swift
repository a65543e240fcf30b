/// Keeps account of what is taken and has to be given back, and of who waits for what.
///
/// A simulation puts one in force, and fails a run in which something was not given back. Outside of one there is none,
/// and an entry costs one look at the ambient values.
package protocol Ledger: Sendable {
  /// Notes that something was taken, or that a wait began.
  func enter(_ entry: LedgerEntry) -> Int

  /// Notes that it was given back, or that the wait ended.
  func leave(_ id: Int)
}

/// One thing that has to be given back: a permit, a token, a flight, a request, a task, a wait.
package struct LedgerEntry: Sendable {
  /// What it is, such as `request` or `wait`.
  package let kind: String
  /// Which one.
  package let detail: String
  /// The name of the task that took it, where it has one.
  package let task: String?

  package init(_ kind: String, _ detail: String) {
    self.kind = kind
    self.detail = detail
    task = Task.name
  }
}

extension Ambient {
  /// Runs a body that holds something for as long as it runs; the entry is only built where a ledger is in force.
  ///
  /// - Parameter values: what is in force, for those who have read it already.
  package static func holding<Value>(
    _ entry: @autoclosure () -> LedgerEntry, in values: AmbientValues = Ambient.values,
    _ body: () async throws -> Value
  ) async rethrows -> Value {
    guard let ledger = values.ledger else { return try await body() }
    let id = ledger.enter(entry())
    defer { ledger.leave(id) }
    return try await body()
  }
}
