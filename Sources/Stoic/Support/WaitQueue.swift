/// A first-in, first-out queue whose members may leave from anywhere.
///
/// Joining, leaving and taking the first one cost constant time on average; memory is in proportion to who waits, not to
/// who ever waited.
package struct WaitQueue<Element> {
  /// Names one member for as long as it waits; never used twice.
  package typealias Ticket = UInt64

  private var order: [Ticket] = []
  /// The tickets before this one are gone.
  private var head = 0
  private var elements: [Ticket: Element] = [:]
  private var nextTicket: Ticket = 0

  package init() {}

  package var count: Int { elements.count }
  package var isEmpty: Bool { elements.isEmpty }

  package mutating func append(_ element: Element) -> Ticket {
    let ticket = nextTicket
    nextTicket += 1
    order.append(ticket)
    elements[ticket] = element
    return ticket
  }

  /// Takes a member out; nil when it is no longer there.
  @discardableResult
  package mutating func remove(_ ticket: Ticket) -> Element? {
    guard let element = elements.removeValue(forKey: ticket) else { return nil }
    compactIfSparse()
    return element
  }

  /// Takes out who has waited longest.
  package mutating func popFirst() -> (ticket: Ticket, element: Element)? {
    while head < order.count {
      let ticket = order[head]
      head += 1
      if let element = remove(ticket) { return (ticket, element) }
    }
    return nil
  }

  /// Takes out all that a condition says, which is asked about each in the order in which they came.
  package mutating func removeAll(where isLeaving: (Element) -> Bool) -> [Element] {
    let left = order[head...].compactMap { ticket -> Element? in
      guard let element = elements[ticket], isLeaving(element) else { return nil }
      return elements.removeValue(forKey: ticket)
    }
    compactIfSparse()
    return left
  }

  /// Whether a member waits, and is among the first so many.
  package func isAmong(first count: Int, _ ticket: Ticket) -> Bool {
    guard elements[ticket] != nil, count > 0 else { return false }
    return order[head...].lazy.filter { elements[$0] != nil }.prefix(count).contains(ticket)
  }

  private mutating func compactIfSparse() {
    guard order.count > 2 * elements.count + 32 else { return }
    order = order[head...].filter { elements[$0] != nil }
    head = 0
  }
}

extension WaitQueue: Sendable where Element: Sendable {}

extension WaitQueue: Equatable where Element: Equatable {}

extension WaitQueue: Hashable where Element: Hashable {}
