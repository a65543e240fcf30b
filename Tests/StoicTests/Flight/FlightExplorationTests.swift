import Stoic
import Testing

@Suite("Single flight, explored")
struct FlightExplorationTests {
  private typealias State<Key: Hashable & Sendable> = SingleFlightState<Key, Int>

  private struct Scope<Key: Hashable & Sendable>: Explorable {
    enum Event { case join(Key), leave(Int), end(Int) }

    struct Passenger {
      var seat: State<Key>.Seat
      var name: Int
    }

    struct Plane {
      var number: Int
      var key: Key
      var passengers: [Int] = []
      /// Whether somebody can join it.
      var isListed = true
    }

    let keys: [Key]
    let seatLimit: Int
    var state = State<Key>()
    var planes: [Plane] = []
    /// All who ever joined.
    var seats: [Passenger] = []
    /// All flights that ever started.
    var numbers: [Int] = []

    var events: [Event] {
      (seats.count < seatLimit ? keys.map(Event.join) : []) + seats.indices.map(Event.leave)
        + numbers.map(Event.end) + [.end(99)]
    }

    // The state is not `Hashable`; the picture shows every field of it and of the model.
    var mark: String { picture(of: state) + picture(of: planes) + picture(of: seats) }

    mutating func apply(_ event: Event) -> String? {
      switch event {
      case .join(let key): return join(key)
      case .leave(let index):
        let passenger = seats[index]
        let plane = planes.firstIndex { $0.passengers.contains(passenger.name) }
        var isOrphaned = false
        if let plane {
          planes[plane].passengers.removeAll { $0 == passenger.name }
          isOrphaned = planes[plane].passengers.isEmpty
          if isOrphaned { planes[plane].isListed = false }
        }
        return difference("whether it is to be cancelled", state.leave(passenger.seat), isOrphaned)
      case .end(let number):
        let passengers = planes.first { $0.number == number }?.passengers ?? []
        planes.removeAll { $0.number == number }
        return difference("who waited", state.end(number), passengers)
      }
    }

    private mutating func join(_ key: Key) -> String? {
      let name = 100 + seats.count
      let seat = state.join(key, name)
      let isTaken = seats.contains { $0.seat == seat }
      seats.append(Passenger(seat: seat, name: name))
      if let plane = planes.firstIndex(where: { $0.key == key && $0.isListed }) {
        planes[plane].passengers.append(name)
        return difference("the flight joined", seat.flight, planes[plane].number)
          ?? broken("who joins starts nothing, and has a seat alone", unless: !seat.starts && !isTaken)
      }
      let isNew = !numbers.contains(seat.flight)
      planes.append(Plane(number: seat.flight, key: key, passengers: [name]))
      numbers.append(seat.flight)
      return broken("who finds no flight starts a new one", unless: seat.starts && isNew)
    }

    func checkInvariants() -> String? {
      for number in numbers + [99] {
        let plane = planes.first { $0.number == number }
        let isAbandoned = plane.map(\.passengers.isEmpty) ?? false
        let fault =
          difference("whether \(number) flies", state.isFlying(number), plane != nil)
          ?? difference("whether \(number) is abandoned", state.isAbandoned(number), isAbandoned)
        if let fault { return fault }
      }
      let listed = planes.filter(\.isListed)
      return difference("how many fly", state.flying, planes.count)
        ?? difference("how many can be joined", state.listedCount, listed.count)
        ?? broken("a key has one flight to join", unless: Set(listed.map(\.key)).count == listed.count)
        ?? broken("nobody joins an abandoned flight", unless: !listed.contains(where: \.passengers.isEmpty))
    }
  }

  @Test("Every sequence of eight events on two keys keeps flights like a list of planes")
  func exploration() {
    let result = Exploration(of: Scope(keys: ["a", "b"], seatLimit: 4), depth: 8)
    #expect(result.fault == nil)
    #expect(result.steps > 5_000)
  }

  @Test("Every sequence of eight events on one key keeps flights like a list of planes")
  func oneKey() {
    let result = Exploration(of: Scope(keys: [1], seatLimit: 5), depth: 8)
    #expect(result.fault == nil)
    #expect(result.steps > 1_200)
  }
}
