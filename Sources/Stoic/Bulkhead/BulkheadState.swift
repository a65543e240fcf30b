/// Who holds a permit, and who waits for one, first come first served.
///
/// Pure. While anybody waits, all permits are in use.
package struct BulkheadState<Waiter> {
  package typealias Ticket = WaitQueue<Waiter>.Ticket

  package enum Entry {
    case granted
    case queued(Ticket, Waiter)
    case full
  }

  private let limit: Int
  private let queueLimit: Int
  private var queue = WaitQueue<Waiter>()
  /// Handed over, and not yet taken by those who waited.
  private var granted: Set<Ticket> = []

  package private(set) var inUse = 0

  package init(limit: Int, queueLimit: Int) {
    self.limit = limit
    self.queueLimit = queueLimit
  }

  package var waiting: Int { queue.count }

  /// Takes a permit that is free; false when none is.
  package mutating func enterAtOnce() -> Bool {
    guard inUse < limit else { return false }
    inUse += 1
    return true
  }

  /// Asks for a permit.
  package mutating func enter(_ waiter: @autoclosure () -> Waiter) -> Entry {
    if enterAtOnce() { return .granted }
    guard queue.count < queueLimit else { return .full }
    let waiter = waiter()
    return .queued(queue.append(waiter), waiter)
  }

  /// Gives a permit back; it goes straight to who has waited longest, who is to be woken.
  package mutating func leave() -> Waiter? {
    if let (ticket, waiter) = queue.popFirst() {
      granted.insert(ticket)
      return waiter
    }
    inUse -= 1
    return nil
  }

  /// Stops waiting; without effect when the permit was handed over before.
  package mutating func withdraw(_ ticket: Ticket) {
    queue.remove(ticket)
  }

  /// Takes the permit that was handed over; false when there is none.
  package mutating func claim(_ ticket: Ticket) -> Bool {
    granted.remove(ticket) != nil
  }
}

extension BulkheadState: Sendable where Waiter: Sendable {}

extension BulkheadState: Equatable where Waiter: Equatable {}

extension BulkheadState: Hashable where Waiter: Hashable {}
