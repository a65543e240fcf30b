/// Which flights are on their way, and who waits for each.
///
/// Pure. A flight can be joined while it is listed; it is delisted when it ends or when the last one leaves, so that nobody
/// joins a flight that is being cancelled. Who leaves last is told of the end all the same.
///
/// Keys are the caller's and are never compared here, where a lock is held: whoever asks looks through the
/// ``candidates(hash:)`` of its key's hash and says which one it means.
package struct SingleFlightState<Key, Joiner> {
  /// Names a flight; never used twice.
  package struct ID: Hashable, Sendable {
    /// Where it is kept while it flies.
    fileprivate let slot: Int
    fileprivate let number: Int
  }

  /// A place in a flight.
  package struct Seat: Hashable, Sendable {
    package let flight: ID
    /// Whether the flight is new, and has to be started.
    package let starts: Bool
    fileprivate let ticket: WaitQueue<Joiner>.Ticket?
  }

  /// A flight that can be joined.
  package struct Candidate {
    package let flight: ID
    package let key: Key
  }

  /// What became of somebody who wanted to leave.
  package enum Leave: Hashable, Sendable {
    /// Gone; others still wait.
    case gone
    /// Nobody waits for the flight any more: it is to be cancelled, and its end is to be waited for.
    case last
    /// The flight has ended, or the seat was left before.
    case tooLate
  }

  /// A flight with those who wait for it.
  package struct Flight {
    /// What it is for.
    package let key: Key
    fileprivate let id: ID
    fileprivate let hash: Int
    /// The next listed flight under the same hash.
    fileprivate var next: ID?
    /// Kept apart, so that a flight that nobody joins needs no queue.
    fileprivate var starter: Joiner?
    fileprivate var others = WaitQueue<Joiner>()
    fileprivate var last: Joiner?

    fileprivate var isAbandoned: Bool { starter == nil && others.isEmpty }

    /// Takes out who is to be told of the end: in the order in which they joined.
    package mutating func popJoiner() -> Joiner? {
      if let starter = starter.take() { return starter }
      return others.popFirst()?.element ?? last.take()
    }
  }

  /// The newest listed flight of each hash.
  private var listed: [Int: ID] = [:]
  private var slots: [Flight?] = []
  private var freeSlots: [Int] = []
  private var nextNumber = 0

  package init() {}

  /// How many flights can be joined.
  package var listedCount: Int { slots.lazy.filter { $0?.isAbandoned == false }.count }

  /// How many flights have not ended, abandoned ones included.
  package var flying: Int { slots.count - freeSlots.count }

  /// Whether a flight has not ended.
  package func isFlying(_ flight: ID) -> Bool {
    slots.indices.contains(flight.slot) && slots[flight.slot]?.id == flight
  }

  /// Whether a flight goes on with nobody waiting for it.
  package func isAbandoned(_ flight: ID) -> Bool {
    isFlying(flight) && slots[flight.slot]?.isAbandoned == true
  }

  /// The flights whose keys have a hash, the newest first.
  package func candidates(hash: Int) -> [Candidate] {
    var found: [Candidate] = []
    var next = listed[hash]
    while let id = next, let flight = slots[id.slot] {
      found.append(Candidate(flight: id, key: flight.key))
      next = flight.next
    }
    return found
  }

  /// Takes a seat in a candidate; nil when it can no longer be joined.
  package mutating func join(_ candidate: Candidate, _ joiner: Joiner) -> Seat? {
    let id = candidate.flight
    guard isFlying(id), !isAbandoned(id) else { return nil }
    return Seat(flight: id, starts: false, ticket: slots[id.slot]?.others.append(joiner))
  }

  /// Takes a seat in a new flight; nil when the newest candidate of its hash is another one than whoever asks has seen.
  package mutating func start(_ key: Key, hash: Int, after newest: ID?, _ joiner: Joiner) -> Seat? {
    guard listed[hash] == newest else { return nil }
    let slot = freeSlots.popLast() ?? slots.count
    if slot == slots.count { slots.append(nil) }
    let id = ID(slot: slot, number: nextNumber)
    nextNumber += 1
    slots[slot] = Flight(key: key, id: id, hash: hash, next: newest, starter: joiner)
    listed[hash] = id
    return Seat(flight: id, starts: true, ticket: nil)
  }

  /// Leaves a flight that has not ended.
  package mutating func leave(_ seat: Seat) -> Leave {
    guard isFlying(seat.flight) else { return .tooLate }
    let slot = seat.flight.slot
    let leaver: Joiner? =
      if let ticket = seat.ticket { slots[slot]?.others.remove(ticket) } else { slots[slot]?.starter.take() }
    guard let leaver else { return .tooLate }
    guard isAbandoned(seat.flight) else { return .gone }
    delist(seat.flight)
    slots[slot]?.last = leaver
    return .last
  }

  /// Ends a flight; nil when it has ended before.
  package mutating func end(_ flight: ID) -> Flight? {
    guard isFlying(flight) else { return nil }
    delist(flight)
    freeSlots.append(flight.slot)
    return slots[flight.slot].take()
  }

  private mutating func delist(_ id: ID) {
    guard let flight = slots[id.slot], let newest = listed[flight.hash] else { return }
    if newest == id {
      listed[flight.hash] = flight.next
      return
    }
    var before = newest
    while let next = slots[before.slot]?.next {
      if next == id {
        slots[before.slot]?.next = flight.next
        return
      }
      before = next
    }
  }
}

extension SingleFlightState.Flight: Sendable where Key: Sendable, Joiner: Sendable {}

extension SingleFlightState: Sendable where Key: Sendable, Joiner: Sendable {}

extension SingleFlightState.Candidate: Sendable where Key: Sendable {}
