import Stoic

/// An asynchronous call whose cost is measured.
///
/// The call is given a number and gives one back, so that the compiler can neither leave it out nor move it out of the
/// loop.
struct AsyncContender: Sendable {
  let name: String
  let call: @Sendable (Int) async throws -> Int

  init(_ name: String, _ call: @escaping @Sendable (Int) async throws -> Int) {
    self.name = name
    self.call = call
  }

  /// Makes so many calls, one after the other.
  func run(_ count: Int) async throws {
    var sum = 0
    for number in 0..<count { sum &+= try await call(number) }
    keep(sum)
  }
}

/// Measures asynchronous contenders in turn, round after round, in one task.
///
/// Returns for each contender the nanoseconds of a call, in each round.
func race(_ contenders: [AsyncContender], rounds: Int = 15) async throws -> [[Double]] {
  var samples = [[Double]](repeating: [], count: contenders.count)
  for contender in contenders {
    try await contender.run(1_000)
  }
  for _ in 0..<rounds {
    for (index, contender) in contenders.enumerated() {
      samples[index].append(try await nanoseconds(contender))
    }
  }
  return samples
}

/// The allocations of a call, over so many calls.
func allocations(_ contender: AsyncContender, calls: Int = 1_000) async throws -> Double {
  // What is made once is no part of a call.
  try await contender.run(calls)
  return Double(try await Allocations.count { try await contender.run(calls) }) / Double(calls)
}

/// Calls for twenty milliseconds or longer.
private func nanoseconds(_ contender: AsyncContender) async throws -> Double {
  let clock = ContinuousClock()
  let start = clock.now
  var count = 0
  var elapsed = Duration.zero
  repeat {
    try await contender.run(500)
    count += 500
    elapsed = clock.now - start
  } while elapsed < .milliseconds(20)
  return elapsed / .nanoseconds(1) / Double(count)
}

/// Runs asynchronous work from where nothing can be awaited, and waits for what comes of it.
func waiting<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) throws -> Value {
  let result = Lock<Result<Value, any Error>>(.failure(Surprise(what: "the work has not ended")))
  let work: @Sendable () async -> Void = {
    let outcome: Result<Value, any Error>
    do { outcome = .success(try await body()) } catch { outcome = .failure(error) }
    result.withLock { $0 = outcome }
  }
  waiting(work)
  return try result.withLock { $0 }.get()
}
