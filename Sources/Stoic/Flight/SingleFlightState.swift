/// Which flights can be joined, and who waits for each.
///
/// Pure. A flight can be joined until it ends, or until whoever does its work gives it up: the two are the same here.
///
/// Keys are the caller's and are never compared here, where a lock is held: whoever asks looks through the
/// ``candidates(hash:)`` of its key's hash and says which one it means.
package struct SingleFlightState<Key, Joiner> {
  /// A place in a flight that somebody else flies.
  package struct Seat: Hashable, Sendable {
    package let flight: Int
    fileprivate let ticket: WaitQueue<Joiner>.Ticket
  }

  /// A flight that can be joined.
  package struct Candidate {
    package let flight: Int
    package let key: Key
  }

  /// A flight with those who wait for it.
  package struct Flight {
    /// What it is for.
    package fileprivate(set) var key: Key
    fileprivate let hash: Int
    /// The next flight under the same hash.
    fileprivate var next: Int?
    fileprivate var joiners = WaitQueue<Joiner>()

    /// Takes out who is to be told of the end: in the order in which they joined.
    package mutating func popJoiner() -> Joiner? { joiners.popFirst()?.element }
  }

  /// The newest flight of each hash.
  private var newest: [Int: Int] = [:]
  private var flights: [Int: Flight] = [:]
  private var nextFlight = 0

  package init() {}

  /// How many flights can be joined.
  package var count: Int { flights.count }

  /// Whether a flight can be joined.
  package func isFlying(_ flight: Int) -> Bool { flights[flight] != nil }

  /// The flights whose keys have a hash, the newest first.
  package func candidates(hash: Int) -> [Candidate] {
    var found: [Candidate] = []
    var next = newest[hash]
    while let number = next, let flight = flights[number] {
      found.append(Candidate(flight: number, key: flight.key))
      next = flight.next
    }
    return found
  }

  /// Takes a seat in a candidate; nil when it can no longer be joined.
  package mutating func join(_ candidate: Candidate, _ joiner: Joiner) -> Seat? {
    guard let ticket = flights[candidate.flight]?.joiners.append(joiner) else { return nil }
    return Seat(flight: candidate.flight, ticket: ticket)
  }

  /// Starts a flight; nil when the newest candidate of its hash is another one than whoever asks has seen.
  package mutating func start(_ key: Key, hash: Int, after seen: Int?) -> Int? {
    let number = nextFlight
    let other = newest.updateValue(number, forKey: hash)
    guard other == seen else {
      newest[hash] = other
      return nil
    }
    nextFlight += 1
    flights[number] = Flight(key: key, hash: hash, next: seen)
    return number
  }

  /// Leaves a flight; false when it has ended, or the seat was left before.
  package mutating func leave(_ seat: Seat) -> Bool {
    flights[seat.flight]?.joiners.remove(seat.ticket) != nil
  }

  /// Goes on with a flight under another number, for another one to fly it, and hands out those who wait; nil when it has
  /// ended before, or nobody waits and it has ended now.
  package mutating func renew(_ number: Int) -> (flight: Int, joiners: [Joiner])? {
    guard var flight = end(number) else { return nil }
    var joiners: [Joiner] = []
    while let joiner = flight.popJoiner() { joiners.append(joiner) }
    guard !joiners.isEmpty else { return nil }
    let seen = newest[flight.hash]
    return start(flight.key, hash: flight.hash, after: seen).map { ($0, joiners) }
  }

  /// Has a flight go by the equal key of who flies it now; the key that it went by, which is the caller's to let go of.
  package mutating func rename(_ number: Int, to key: Key) -> Key? {
    guard let old = flights[number]?.key else { return nil }
    flights[number]?.key = key
    return old
  }

  /// Has others wait for a flight, who waited for it under another number; false when it has ended.
  package mutating func rejoin(_ number: Int, _ joiners: [Joiner]) -> Bool {
    guard flights[number] != nil else { return false }
    for joiner in joiners { _ = flights[number]?.joiners.append(joiner) }
    return true
  }

  /// Ends a flight, so that nobody can join it; nil when it has ended before.
  package mutating func end(_ number: Int) -> Flight? {
    guard let flight = flights.removeValue(forKey: number) else { return nil }
    let first = newest.removeValue(forKey: flight.hash)
    guard var before = first, before != number else {
      if let next = flight.next { newest[flight.hash] = next }
      return flight
    }
    newest[flight.hash] = before
    while let next = flights[before]?.next, next != number { before = next }
    flights[before]?.next = flight.next
    return flight
  }
}

extension SingleFlightState.Flight: Sendable where Key: Sendable, Joiner: Sendable {}

extension SingleFlightState: Sendable where Key: Sendable, Joiner: Sendable {}

extension SingleFlightState.Candidate: Sendable where Key: Sendable {}
