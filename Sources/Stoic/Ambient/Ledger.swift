/// Keeps account of what is taken and has to be given back, of who waits for what, and of what happens.
///
/// A simulation puts one in force, and fails a run in which something was not given back. Outside of one there is none,
/// and an entry costs one look at the ambient values.
package protocol Ledger: Sendable {
  /// Notes that something was taken, or that a wait began.
  func enter(_ entry: LedgerEntry) -> Int

  /// Notes that it was given back, or that the wait ended.
  func leave(_ id: Int)

  /// Notes that a place was reached to which few calls come.
  func reach(_ place: String)

  /// Notes the name of the task that is started next.
  func name(_ task: String)

  /// Notes for whoever reads what happened.
  func tell(_ what: @autoclosure () -> String)

  /// A sink that tells of each event, and hands it on to the one that code puts in force.
  func watching(_ sink: any EventSink) -> any EventSink
}

/// One thing that has to be given back: a permit, a token, a flight, a request, a task, a wait.
package struct LedgerEntry: Sendable {
  /// What it is, such as `request` or `wait`.
  package let kind: String
  /// Which one.
  package let detail: String
  /// How many of them are taken then, where they are counted.
  package let count: String?
  /// The name of the task that took it, where it has one.
  package let task: String?

  package init(_ kind: String, _ detail: String, count: String? = nil) {
    self.kind = kind
    self.detail = detail
    self.count = count
    task = Task.name
  }
}

/// What is held until it is released.
package struct LedgerHold: Sendable {
  private let ledger: any Ledger
  private let id: Int

  fileprivate init(_ ledger: any Ledger, _ entry: LedgerEntry) {
    self.ledger = ledger
    id = ledger.enter(entry)
  }

  /// Notes that it was given back.
  package func release() { ledger.leave(id) }
}

extension AmbientValues {
  /// Notes that something is held; nil, and the entry not built, where no ledger is in force.
  ///
  /// The hold is to be released on every way out: `defer { hold?.release() }`.
  package func hold(_ entry: @autoclosure () -> LedgerEntry) -> LedgerHold? {
    ledger.map { LedgerHold($0, entry()) }
  }
}

extension Ambient {
  /// Notes that a place was reached to which few calls come, so that a test can see that it has been there; nothing where no
  /// ledger is in force.
  package static func reach(_ place: StaticString) {
    values.ledger?.reach("\(place)")
  }
}
