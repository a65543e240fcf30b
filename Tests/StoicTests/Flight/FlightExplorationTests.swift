import Stoic
import Testing

@Suite("Single flight, explored")
struct FlightExplorationTests {
  private typealias State<Key: Hashable & Sendable> = SingleFlightState<Key, Int>

  private struct Scope<Key: Hashable & Sendable>: Explorable {
    enum Event { case join(Key), leave(Int), end(State<Key>.ID) }

    struct Passenger {
      var seat: State<Key>.Seat
      var name: Int
    }

    struct Plane {
      var number: State<Key>.ID
      var key: Key
      var passengers: [Int] = []
      /// Who left last, and waits for its end.
      var last: Int?
      /// Whether somebody can join it.
      var isListed: Bool { last == nil }
    }

    let keys: [Key]
    /// The hash of each key.
    let hashes: [Int]
    let seatLimit: Int
    var state = State<Key>()
    var planes: [Plane] = []
    /// All who ever joined.
    var seats: [Passenger] = []
    /// All flights that ever started.
    var numbers: [State<Key>.ID] = []

    var events: [Event] {
      (seats.count < seatLimit ? keys.map(Event.join) : []) + seats.indices.map(Event.leave)
        + numbers.map(Event.end)
    }

    // The state is not `Hashable`; the picture shows every field of it and of the model.
    var mark: String { picture(of: state) + picture(of: planes) + picture(of: seats) }

    mutating func apply(_ event: Event) -> String? {
      switch event {
      case .join(let key): return join(key)
      case .leave(let index):
        let passenger = seats[index]
        let plane = planes.firstIndex { $0.passengers.contains(passenger.name) }
        var leave = State<Key>.Leave.tooLate
        if let plane {
          planes[plane].passengers.removeAll { $0 == passenger.name }
          leave = planes[plane].passengers.isEmpty ? .last : .gone
          if leave == .last { planes[plane].last = passenger.name }
        }
        return difference("what became of the leaver", state.leave(passenger.seat), leave)
      case .end(let number):
        let told = planes.first { $0.number == number }.map { $0.passengers + ($0.last.map { [$0] } ?? []) }
        planes.removeAll { $0.number == number }
        var ended = state.end(number)
        var waited: [Int]? = ended == nil ? nil : []
        while let joiner = ended?.popJoiner() { waited?.append(joiner) }
        return difference("who waited", waited, told)
      }
    }

    private mutating func join(_ key: Key) -> String? {
      let name = 100 + seats.count
      let hash = hashes[keys.firstIndex(of: key) ?? 0]
      let candidates = state.candidates(hash: hash)
      if let fault = checkCandidates(candidates, of: hash) { return fault }
      let match = candidates.first { $0.key == key }
      let seat =
        if let match { state.join(match, name) } else {
          state.start(key, hash: hash, after: candidates.first?.flight, name)
        }
      guard let seat else { return "a seat is refused although nothing has changed" }
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

    /// A candidate is a flight that can be joined under a hash; what was seen before something changed is refused.
    private func checkCandidates(_ candidates: [State<Key>.Candidate], of hash: Int) -> String? {
      let listed = planes.filter { $0.isListed && hashes[keys.firstIndex(of: $0.key) ?? 0] == hash }
      var changed = state
      if let newest = candidates.first {
        _ = changed.end(newest.flight)
      } else {
        _ = changed.start(keys[0], hash: hash, after: nil, 0)
      }
      let stale =
        candidates.first.map { changed.join($0, 1) } ?? changed.start(keys[0], hash: hash, after: nil, 1)
      return difference("the candidates", candidates.map(\.flight), listed.map(\.number).reversed())
        ?? broken("what was seen before a change is refused", unless: stale == nil)
    }

    func checkInvariants() -> String? {
      for number in numbers {
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

  @Test(
    "Every sequence of eight events on two keys keeps flights like a list of planes, also where their hashes collide",
    arguments: [[1, 2], [3, 3]])
  func exploration(hashes: [Int]) {
    let result = Exploration(of: Scope(keys: ["a", "b"], hashes: hashes, seatLimit: 4), depth: 8)
    #expect(result.fault == nil)
    #expect(result.steps > 5_000)
  }

  @Test("Every sequence of eight events on one key keeps flights like a list of planes")
  func oneKey() {
    let result = Exploration(of: Scope(keys: [1], hashes: [1], seatLimit: 5), depth: 8)
    #expect(result.fault == nil)
    #expect(result.steps > 1_200)
  }
}
