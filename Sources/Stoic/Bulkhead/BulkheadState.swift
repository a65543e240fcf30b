/// Who holds a permit, and who waits for one, first come first served.
///
/// Pure. While anybody waits, all permits are in use. There may be more in use than there are, where their number was
/// lowered.
package struct BulkheadState<Waiter> {
  package typealias Ticket = WaitQueue<Waiter>.Ticket

  package enum Entry {
    case granted
    case queued(Ticket, Waiter)
    /// It waits behind a full queue.
    case crowded(Ticket, Waiter)
    case full
  }

  package private(set) var limit: Int
  private let queueLimit: Int
  /// Which decision the limit is from; 0 for the first one.
  private var decision = 0
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
  ///
  /// - Parameter isPatient: whether it waits behind a full queue, too.
  package mutating func enter(_ waiter: @autoclosure () -> Waiter, isPatient: Bool = false) -> Entry {
    if enterAtOnce() { return .granted }
    let isFull = queue.count >= queueLimit
    guard !isFull || isPatient else { return .full }
    let waiter = waiter()
    let ticket = queue.append(waiter)
    return isFull ? .crowded(ticket, waiter) : .queued(ticket, waiter)
  }

  /// Stops waiting behind a full queue; true where it has come into the queue and goes on.
  package mutating func losePatience(_ ticket: Ticket) -> Bool {
    if queue.isAmong(first: queueLimit, ticket) { return true }
    queue.remove(ticket)
    return false
  }

  /// Gives a permit back; it goes straight to who has waited longest, who is to be woken.
  package mutating func leave() -> Waiter? {
    // One of too many goes to nobody.
    if inUse <= limit, let (ticket, waiter) = queue.popFirst() {
      granted.insert(ticket)
      return waiter
    }
    inUse -= 1
    return nil
  }

  /// Changes the number of permits; those who wait and get one of the new ones are to be woken.
  ///
  /// Permits that are in use stay so, also those that are then too many.
  ///
  /// - Parameters:
  ///   - limit: the new number, at least 1.
  ///   - number: which decision it is, from 1; one that arrives after a later one changes nothing.
  package mutating func resize(to limit: Int, decision number: Int) -> [Waiter] {
    guard number > decision else { return [] }
    decision = number
    self.limit = limit
    var woken: [Waiter] = []
    while inUse < limit, let (ticket, waiter) = queue.popFirst() {
      inUse += 1
      granted.insert(ticket)
      woken.append(waiter)
    }
    return woken
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
