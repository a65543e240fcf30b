/// Which flights are on their way, and who waits for each.
///
/// Pure. A flight can be joined while it is listed under its key; it is delisted when it ends or when the last one leaves,
/// so that nobody joins a flight that is being cancelled.
package struct SingleFlightState<Key: Hashable, Joiner> {
  package typealias Ticket = WaitQueue<Joiner>.Ticket

  /// A place in a flight.
  package struct Seat: Hashable, Sendable {
    package let flight: Int
    package let ticket: Ticket
    /// Whether the flight is new, and has to be started.
    package let starts: Bool
  }

  fileprivate struct Flight {
    let key: Key
    var joiners = WaitQueue<Joiner>()
  }

  private var listed: [Key: Int] = [:]
  private var flights: [Int: Flight] = [:]
  private var nextFlight = 0

  package init() {}

  /// How many flights can be joined.
  package var listedCount: Int { listed.count }

  /// How many flights have not ended, abandoned ones included.
  package var flying: Int { flights.count }

  /// Whether a flight has not ended.
  package func isFlying(_ flight: Int) -> Bool { flights[flight] != nil }

  /// Whether a flight goes on with nobody waiting for it.
  package func isAbandoned(_ flight: Int) -> Bool { flights[flight]?.joiners.isEmpty ?? false }

  /// Takes a seat in the flight of a key, or in a new one.
  package mutating func join(_ key: Key, _ joiner: Joiner) -> Seat {
    if let flight = listed[key], let ticket = flights[flight]?.joiners.append(joiner) {
      return Seat(flight: flight, ticket: ticket, starts: false)
    }
    var new = Flight(key: key)
    let ticket = new.joiners.append(joiner)
    let flight = nextFlight
    nextFlight += 1
    flights[flight] = new
    listed[key] = flight
    return Seat(flight: flight, ticket: ticket, starts: true)
  }

  /// Leaves a flight that has not ended; true when nobody waits for it any more and it is to be cancelled.
  package mutating func leave(_ seat: Seat) -> Bool {
    guard flights[seat.flight]?.joiners.remove(seat.ticket) != nil, isAbandoned(seat.flight) else {
      return false
    }
    delist(seat.flight)
    return true
  }

  /// Ends a flight; returns who waited for it, in the order in which they joined.
  package mutating func end(_ flight: Int) -> [Joiner] {
    delist(flight)
    guard var joiners = flights.removeValue(forKey: flight)?.joiners else { return [] }
    var all: [Joiner] = []
    all.reserveCapacity(joiners.count)
    while let next = joiners.popFirst() { all.append(next.element) }
    return all
  }

  private mutating func delist(_ flight: Int) {
    // Another flight may have taken the key meanwhile.
    if let key = flights[flight]?.key, listed[key] == flight { listed[key] = nil }
  }
}

extension SingleFlightState.Flight: Sendable where Key: Sendable, Joiner: Sendable {}

extension SingleFlightState: Sendable where Key: Sendable, Joiner: Sendable {}
