import StoicHTTP

/// Quotas by lists of requests: what is left of one is what was told of it, but for the requests that count against it.
///
/// Instants are whole nanoseconds.
struct QuotaModel: Hashable {
  enum Place: Hashable { case reserved, sent, over }

  struct Quota: Hashable {
    var told: Int
    /// The requests that count against it.
    var against: Set<Int>
    var end: Int
    var reset: Int
    var limit: Int?
    var window: Int?
    /// Which request's response told last.
    var teller: Int
    /// Those of the requests against it that the server may have counted when it told.
    var doubtful: Set<Int> = []
    /// The requests that had been sent before one was let through to ask again.
    var known: Set<Int>?
  }

  struct Entry: Hashable {
    var name: String
    var remaining: Int
    var reset: Int?
    var limit: Int?
    var window: Int?
  }

  let maxWait: Int
  var quotas: [String: Quota] = [:]
  /// What became of each request that was let through, in order.
  var requests: [Place] = []
  /// The requests that were sent, in the order of that.
  var sent: [Int] = []
  /// How many of those are over.
  var ended = 0

  init(maxWait: Int) { self.maxWait = maxWait }

  func left(_ quota: Quota) -> Int { quota.told - quota.against.count }

  private func all(_ place: Place) -> Set<Int> { Set(requests.indices.filter { requests[$0] == place }) }

  var reserved: Int { all(.reserved).count }

  mutating func move(to now: Int) {
    for (name, var quota) in quotas where quota.reset <= now {
      if now < quota.end {
        if left(quota) <= 0 {
          (quota.told, quota.against, quota.known) = (1, all(.reserved), Set(sent))
          quota.doubtful = []
        }
      } else {
        guard let limit = quota.limit, let window = quota.window, limit > 0, window > 0 else {
          quotas[name] = nil
          continue
        }
        (quota.told, quota.against, quota.known) = (limit, all(.reserved), nil)
        quota.doubtful = []
        quota.end = now + window
      }
      quota.reset = min(quota.end, now + maxWait)
      quotas[name] = quota
    }
  }

  /// When what is used up is renewed; nil where nothing is.
  var usedUpUntil: Int? { quotas.values.filter { left($0) <= 0 }.map(\.reset).max() }

  /// Lets a request through; nil when it does, else until when it has to wait.
  mutating func admit(at now: Int) -> Int? {
    move(to: now)
    if let until = usedUpUntil, now < until { return until }
    for name in quotas.keys { quotas[name]?.against.insert(requests.count) }
    requests.append(.reserved)
    return nil
  }

  mutating func start() {
    guard let request = requests.firstIndex(of: .reserved) else { return }
    requests[request] = .sent
    sent.append(request)
  }

  mutating func giveBack() {
    guard let request = requests.lastIndex(of: .reserved) else { return }
    requests[request] = .over
    for name in quotas.keys { quotas[name]?.against.remove(request) }
    lookAround()
  }

  mutating func end() {
    ended += 1
    lookAround()
  }

  /// Where nothing is under way, has one request ask again of what only those make used up that may have been counted.
  private mutating func lookAround() {
    guard ended == sent.count, reserved == 0 else { return }
    for (name, var quota) in quotas where left(quota) <= 0 {
      guard quota.told - quota.against.subtracting(quota.doubtful).count > 0 else { continue }
      (quota.told, quota.against, quota.doubtful, quota.known) = (1, [], [], Set(sent))
      quotas[name] = quota
    }
  }

  /// Takes what the response to a request says, which is named by its place among those sent.
  mutating func report(_ entries: [Entry], to place: Int, at now: Int) {
    move(to: now)
    for entry in entries {
      let old = quotas[entry.name]
      if let old, old.teller > place { continue }
      let window = entry.window ?? old?.window
      let until = entry.reset ?? old.map { $0.end - now } ?? window
      guard let until, until > 0 else {
        quotas[entry.name] = nil
        continue
      }
      quotas[entry.name] = Quota(
        told: entry.remaining, against: all(.reserved).union(sent[(place + 1)...]), end: now + until,
        reset: now + min(until, maxWait), limit: entry.limit ?? old?.limit, window: window, teller: place,
        doubtful: Set(sent[(place + 1)...]))
    }
    for (name, quota) in quotas {
      if let known = quota.known, !known.contains(sent[place]) { quotas[name] = nil }
    }
  }

  /// When so many more requests have been let through, if all that is reserved is sent; the first instant beyond the longest
  /// wait that may be, where it is later.
  func turn(after others: Int, from start: Int) -> Int {
    var (copy, now, count) = (self, start, others + 1)
    while copy.requests.contains(.reserved) { copy.start() }
    while true {
      if let until = copy.admit(at: now) {
        now = until
        if now > start + maxWait { return now }
      } else {
        copy.start()
        count -= 1
        if count == 0 { return now }
      }
    }
  }
}
