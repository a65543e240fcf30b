import Stoic
import Testing

@Suite("Single flight, explored")
struct FlightExplorationTests {
  private typealias State<Key: Hashable & Sendable> = SingleFlightState<Key, Int>

  private struct Scope<Key: Hashable & Sendable>: Explorable {
    enum Event { case come(Key), leave(Int), end(Int), renew(Int) }

    struct Passenger {
      var seat: State<Key>.Seat
      var name: Int
    }

    /// A flight of the model: who waits for it, in order.
    struct Plane {
      var number: Int
      var key: Key
      var passengers: [Int] = []
    }

    let keys: [Key]
    /// The hash of each key.
    let hashes: [Int]
    let comers: Int
    var state = State<Key>()
    var planes: [Plane] = []
    /// All who ever joined.
    var seats: [Passenger] = []
    /// All flights that ever started.
    var numbers: [Int] = []
    var came = 0

    var events: [Event] {
      (came < comers ? keys.map(Event.come) : []) + seats.indices.map(Event.leave)
        + (numbers + [99]).flatMap { [.end($0), .renew($0)] }
    }

    // The state is not `Hashable`; the picture shows every field of it and of the model.
    var mark: String { picture(of: state) + picture(of: planes) + picture(of: seats) }

    mutating func apply(_ event: Event) -> String? {
      switch event {
      case .come(let key): return come(key)
      case .leave(let index):
        let passenger = seats[index]
        let plane = planes.firstIndex { $0.passengers.contains(passenger.name) }
        if let plane { planes[plane].passengers.removeAll { $0 == passenger.name } }
        return difference("whether one could leave", state.leave(passenger.seat), plane != nil)
      case .renew(let number): return renew(number)
      case .end(let number):
        let told = planes.first { $0.number == number }?.passengers
        planes.removeAll { $0.number == number }
        var ended = state.end(number)
        var waited: [Int]? = ended == nil ? nil : []
        while let joiner = ended?.popJoiner() { waited?.append(joiner) }
        return difference("who waited", waited, told)
      }
    }

    /// The first of those who wait goes on, and the rest waits for it.
    private mutating func renew(_ number: Int) -> String? {
      let index = planes.firstIndex { $0.number == number }
      let waiting = index.map { planes[$0].passengers } ?? []
      let renewed = state.renew(number)
      guard let index, !waiting.isEmpty else {
        if let index { planes.remove(at: index) }
        return broken("nobody is left to go on", unless: renewed == nil)
      }
      guard let (next, joiners) = renewed else { return "the flight does not go on" }
      let isNew = !numbers.contains(next)
      let rest = Array(joiners.dropFirst())
      let plane = Plane(number: next, key: planes[index].key, passengers: rest)
      planes.remove(at: index)
      planes.append(plane)
      numbers.append(next)
      // Their seats are of the old number, and leave nothing.
      seats.removeAll { joiners.contains($0.name) }
      return difference("who waited", joiners, waiting) ?? broken("the number is new", unless: isNew)
        ?? broken("the rest waits again", unless: state.rejoin(next, rest))
        ?? broken("nobody waits for what has ended", unless: !state.rejoin(number, rest))
    }

    private func hash(of key: Key) -> Int { hashes[keys.firstIndex(of: key) ?? 0] }

    private mutating func come(_ key: Key) -> String? {
      let name = 100 + came
      came += 1
      let candidates = state.candidates(hash: hash(of: key))
      let expected = planes.filter { hash(of: $0.key) == hash(of: key) }.map(\.number).reversed()
      if let fault = difference("the candidates", candidates.map(\.flight), Array(expected)) { return fault }
      if let fault = checkStale(candidates, key) { return fault }
      if let match = candidates.first(where: { $0.key == key }) {
        guard let seat = state.join(match, name) else {
          return "a seat is refused although nothing has changed"
        }
        let isTaken = seats.contains { $0.seat == seat }
        seats.append(Passenger(seat: seat, name: name))
        guard let plane = planes.firstIndex(where: { $0.key == key }) else { return "nobody flies there" }
        planes[plane].passengers.append(name)
        return difference("the flight joined", seat.flight, planes[plane].number)
          ?? broken("who joins has a seat alone", unless: !isTaken)
      }
      let seen = candidates.first?.flight
      guard let number = state.start(key, hash: hash(of: key), after: seen) else { return "no flight starts" }
      let isNew = !numbers.contains(number)
      planes.append(Plane(number: number, key: key))
      numbers.append(number)
      return broken("who finds no flight starts a new one", unless: isNew)
    }

    /// What was seen before something changed is refused.
    private func checkStale(_ candidates: [State<Key>.Candidate], _ key: Key) -> String? {
      var changed = state
      guard let newest = candidates.first else {
        _ = changed.start(key, hash: hash(of: key), after: nil)
        return broken(
          "a start is refused", unless: changed.start(key, hash: hash(of: key), after: nil) == nil)
      }
      _ = changed.end(newest.flight)
      return broken("a seat is refused", unless: changed.join(newest, 1) == nil)
        ?? broken(
          "a start is refused", unless: changed.start(key, hash: hash(of: key), after: newest.flight) == nil)
    }

    func checkInvariants() -> String? {
      for number in numbers + [99] {
        let isFlying = planes.contains { $0.number == number }
        let fault = difference("whether \(number) flies", state.isFlying(number), isFlying)
        if let fault { return fault }
      }
      return difference("how many fly", state.count, planes.count)
        ?? broken("a key has one flight", unless: Set(planes.map(\.key)).count == planes.count)
    }
  }

  @Test(
    "Every sequence of eight events on two or three keys keeps flights like a list of planes, also where hashes collide",
    arguments: [[1, 2], [3, 3], [3, 3, 3]])
  func exploration(hashes: [Int]) {
    let keys = Array(["a", "b", "c"].prefix(hashes.count))
    let result = Exploration(of: Scope(keys: keys, hashes: hashes, comers: 5), depth: 8)
    #expect(result.fault == nil)
    #expect(result.steps > 1_500)
  }

  @Test("Every sequence of eight events on one key keeps flights like a list of planes")
  func oneKey() {
    let result = Exploration(of: Scope(keys: [1], hashes: [1], comers: 6), depth: 8)
    #expect(result.fault == nil)
    #expect(result.steps > 400)
  }
}
