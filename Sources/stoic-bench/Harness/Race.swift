import Foundation

/// Something whose speed is measured.
struct Contender {
  let name: String
  let body: () throws -> Void
}

/// Measures contenders in turn, round after round, so that whatever disturbs the machine meets them all.
///
/// Returns for each contender how often per second it ran, in each round.
func race(_ contenders: [Contender], rounds: Int = 15) throws -> [[Double]] {
  var samples = [[Double]](repeating: [], count: contenders.count)
  for contender in contenders {
    try contender.body()
  }
  for _ in 0..<rounds {
    for (index, contender) in contenders.enumerated() {
      samples[index].append(try frequency(contender.body))
    }
  }
  return samples
}

/// Repeats a body for twenty milliseconds or longer; how often per second it ran.
private func frequency(_ body: () throws -> Void) rethrows -> Double {
  let clock = ContinuousClock()
  let start = clock.now
  var count = 0
  var elapsed = Duration.zero
  repeat {
    try body()
    count += 1
    elapsed = clock.now - start
  } while elapsed < .milliseconds(20)
  return Double(count) / (elapsed / .seconds(1))
}

/// Takes a value as if it were used, so that the compiler must make it.
@inline(never) func keep(_ value: some Any) {
  withExtendedLifetime(value) {}
}

/// Runs asynchronous work from where nothing can be awaited, and waits for it.
func waiting(_ body: @escaping @Sendable () async -> Void) {
  let done = DispatchSemaphore(value: 0)
  Task {
    await body()
    done.signal()
  }
  done.wait()
}
