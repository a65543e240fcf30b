import Stoic

/// The hosts that a client knows, a bounded number of them.
///
/// Beyond ``limit`` those used longest ago are forgotten, but never one with a call in it: its permits would be handed out
/// twice. One that has something to remember (``Host/remembers``) is only forgotten beyond ``hardLimit``; then those used
/// longest ago go first. A call that ends looks at few hosts that have to stay, however many there are, and leaves the rest
/// to the next.
final class HostRegistry: Sendable {
  static let limit = 256
  static let hardLimit = 4_096
  /// How many hosts that have to stay one call looks at.
  private static let patience = 8

  /// Where a host stands in the order in which hosts are forgotten.
  private struct Place: Comparable {
    let key: HostKey
    let host: Host
    /// A use of the host, or a look at it; not always the last.
    let use: Int

    init(_ key: HostKey, _ host: Host, _ use: Int) {
      self.key = key
      self.host = host
      self.use = use
    }

    static func == (left: Place, right: Place) -> Bool { left.use == right.use }
    static func < (left: Place, right: Place) -> Bool { left.use < right.use }
  }

  private struct State {
    var hosts: [HostKey: Host] = [:]
    /// The order in which hosts are looked at: a place for each, but for those that are being looked at.
    var places = Heap<Place>()
    /// The order in which they were used: a place for each.
    var ages = Heap<Place>()
    var uses = 0

    /// Whether a place is that of a host that is known.
    func isTaken(_ place: Place) -> Bool { hosts[place.key] === place.host }

    mutating func insert(_ key: HostKey, _ host: Host) {
      hosts[key] = host
      places.insert(Place(key, host, uses))
      ages.insert(Place(key, host, uses))
    }

    /// Forgets a host; its other place goes with those of others.
    mutating func forget(_ key: HostKey) {
      hosts[key] = nil
      let (most, known) = (2 * hosts.count + 32, hosts)
      if places.count > most { places.filter { known[$0.key] === $0.host } }
      if ages.count > most { ages.filter { known[$0.key] === $0.host } }
    }
  }

  private let state = Lock(State())
  private let policy: HTTPPolicy
  private let label: String

  init(_ policy: HTTPPolicy, label: String) {
    self.policy = policy
    self.label = label
  }

  /// How many hosts are known.
  var count: Int { state.withLock { $0.hosts.count } }

  /// The state of an origin's host, which is kept at least until it is given back.
  func take(_ origin: Origin) -> Host {
    if let known = use(origin.hostKey, orAdd: nil) { return known }
    // Made outside the lock, since it draws a random number.
    let host = Host(policy, label: "\(label) \(origin.authority)")
    return use(origin.hostKey, orAdd: host) ?? host
  }

  private func use(_ key: HostKey, orAdd new: Host?) -> Host? {
    state.withLock { state in
      state.uses += 1
      var host = state.hosts[key]
      if host == nil, let new {
        state.insert(key, new)
        host = new
      }
      host?.use.begin(state.uses)
      return host
    }
  }

  /// Ends the use of a host, and forgets what is beyond the limits.
  func giveBack(_ host: Host) {
    host.use.end()
    var looks = 0
    while looks < Self.patience, let place = surplus() {
      // What a host remembers depends on its clock, which is not to be read under the lock.
      if !forget(place, remembers: place.host.remembers) { looks += 1 }
    }
    if looks == Self.patience { forgetOldest() }
  }

  /// The place of the host that was used longest ago, taken out of the order; nil within the limit.
  private func surplus() -> Place? {
    state.withLock { state in
      guard state.hosts.count > Self.limit else { return nil }
      while let place = state.places.popFirst() {
        guard state.isTaken(place) else { continue }
        let last = place.host.use.last
        guard last > place.use else { return place }
        // Each use pays for one such step.
        state.places.insert(Place(place.key, place.host, last))
      }
      return nil
    }
  }

  /// Forgets a host, unless it has to stay: then it is the last to be looked at.
  private func forget(_ place: Place, remembers: Bool) -> Bool {
    state.withLock { state in
      // A call may have come to it meanwhile, and another one's end may have forgotten it.
      guard state.isTaken(place) else { return true }
      if !remembers, place.host.use.isIdle, place.host.use.last <= place.use {
        state.forget(place.key)
        return true
      }
      state.uses += 1
      state.places.insert(Place(place.key, place.host, state.uses))
      return false
    }
  }

  /// Forgets those beyond the hard limit that were used longest ago, whatever they remember.
  private func forgetOldest() {
    state.withLock { state in
      var looks = 0
      while looks < Self.patience, state.hosts.count > Self.hardLimit, let place = state.ages.popFirst() {
        guard state.isTaken(place) else { continue }
        let last = place.host.use.last
        if last <= place.use, place.host.use.isIdle {
          state.forget(place.key)
        } else if last > place.use {
          // Each use pays for one such step.
          state.ages.insert(Place(place.key, place.host, last))
        } else {
          // It is in use.
          looks += 1
          state.uses += 1
          state.ages.insert(Place(place.key, place.host, state.uses))
        }
      }
    }
  }
}
