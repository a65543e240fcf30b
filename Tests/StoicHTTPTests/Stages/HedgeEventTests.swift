import StoicHTTP
import StoicTesting
import Testing

@Suite("What is told of a second attempt")
struct HedgeEventTests {
  private static func events(_ change: @escaping @Sendable (inout HTTPPolicy) -> Void) async -> [String] {
    let lab = Lab {
      $0.hedge = .init(delay: .fixed(.seconds(1)), minimumHedges: 10)
      change(&$0)
    }
    lab.transport.on(.get("/a"), respond: [.status(200).after(.seconds(3))])
    let events = EventRecorder()
    try? await withEvents(events) { #expect(await lab.get("/a") == "200") }
    return events.events.filter { $0.name.hasPrefix("hedge.") }
      .map { "\($0.name) \($0["reason"] ?? $0["delay"] ?? "")" }
  }

  @Test("It has started once the host lets it in; where it does not, it is told why there is none")
  func refused() throws {
    try simulate(seeds: 0..<20) {
      #expect(await Self.events { _ in } == ["hedge.started 1s"])
      #expect(await Self.events { $0.maxConcurrentPerHost = 1 } == ["hedge.throttled bulkhead_full"])
      #expect(
        await Self.events { $0.rateLimit = .init(calls: 1, per: .seconds(9)) }
          == ["hedge.throttled rate_limited"])
    }
  }
}
