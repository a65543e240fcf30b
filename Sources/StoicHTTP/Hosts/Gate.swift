import Stoic

/// What bounds how many attempts run at once to one host: a fixed number, or one that follows how long they take.
enum Gate: Sendable {
  case fixed(Bulkhead)
  case adaptive(AdaptiveBulkhead)

  /// An attempt inside, and when it began, where that counts.
  struct Entry: Sendable {
    fileprivate var call: AdaptiveBulkhead.Call?
  }

  init?(_ policy: borrowing HTTPPolicy, label: String) {
    if let numbers = policy.adaptiveConcurrency {
      self = .adaptive(AdaptiveBulkhead(numbers, label: label))
    } else if let limit = policy.maxConcurrentPerHost {
      self = .fixed(
        Bulkhead(
          maxConcurrent: limit, queueLimit: policy.queueLimitPerHost, queueTimeout: policy.queueTimeout,
          label: label))
    } else {
      return nil
    }
  }

  /// How many attempts may run at once, where that follows how long they take.
  var adaptedLimit: Int? {
    switch self {
    case .fixed: nil
    case .adaptive(let bulkhead): bulkhead.limit
    }
  }

  /// Takes a permit that is free; false when none is.
  func acquireAtOnce() -> Bool {
    switch self {
    case .fixed(let bulkhead): bulkhead.acquireAtOnce()
    case .adaptive(let bulkhead): bulkhead.acquireAtOnce()
    }
  }

  /// Takes a permit, waiting for it when none is free, and until `patience` behind a full queue, too.
  func acquire(
    until deadline: AmbientClock.Instant?, in values: AmbientValues, patience: AmbientClock.Instant?
  ) async throws {
    switch self {
    case .fixed(let bulkhead):
      try await bulkhead.acquire(until: deadline, in: values, patience: patience)
    case .adaptive(let bulkhead):
      try await bulkhead.acquire(until: deadline, in: values, patience: patience)
    }
  }

  /// Says that the attempt begins that holds a permit.
  func begin() -> Entry {
    switch self {
    case .fixed: Entry()
    case .adaptive(let bulkhead): Entry(call: bulkhead.begin())
    }
  }

  /// Gives a permit back.
  ///
  /// - Parameter load: what the attempt's end says about the load.
  func leave(_ entry: Entry, _ load: Verdict.Load?) {
    switch self {
    case .fixed(let bulkhead): bulkhead.release()
    case .adaptive(let bulkhead):
      let outcome: AdaptiveBulkhead.Outcome? =
        switch load {
        case .served: .success
        case .refused, .silent: .overload
        case .failed, nil: nil
        }
      bulkhead.release(entry.call ?? bulkhead.begin(), outcome)
    }
  }
}
