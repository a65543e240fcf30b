import Stoic
import StoicTesting
import Testing

/// Callers who ask a server again and again through an adaptive bulkhead.
enum LoadRun {
  /// Lets them ask for some virtual seconds, under one seed.
  ///
  /// - Parameters:
  ///   - before: what happens to the server before a second.
  ///   - share: how long a request takes, as a share of `time`.
  /// - Returns: what was seen in each second.
  static func seconds(
    _ workers: Int, time: Duration, callers: Int, seconds: Int, _ numbers: AdaptiveBulkhead.Configuration,
    seed: Int = 0, before: @escaping @Sendable (Workers, Int) -> Void = { _, _ in },
    share: @escaping @Sendable () -> Double = { 1 }
  ) throws -> [LoadSecond] {
    let all = Lock<[LoadSecond]>([])
    try simulate(seeds: seed..<seed + 1, schedules: [.uniform], stepLimit: .max) {
      let (bulkhead, server) = (AdaptiveBulkhead(numbers), Workers(workers, time: time))
      let calls = (0..<callers).map { _ in
        Ambient.task { while true { try await bulkhead.run { try await server.answer(share: share()) } } }
      }
      var seen: [LoadSecond] = []
      var answered = 0
      for second in 0..<seconds {
        before(server, second)
        try await Ambient.sleep(for: .seconds(1))
        seen.append(LoadSecond(limit: bulkhead.limit, answered: server.answered - answered))
        answered = server.answered
      }
      for call in calls { call.cancel() }
      for call in calls { #expect(await call.result.isCancellation) }
      #expect(bulkhead.inUse == 0 && bulkhead.waiting == 0)
      all.withLock { [seen] in $0 = seen }
    }
    return all.withLock { $0 }
  }
}
