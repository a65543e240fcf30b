import Foundation
import StoicHTTP
import StoicTesting
import Testing

@Suite("Who waits for a quota", .timeLimit(.minutes(30)))
struct QuotaOrderTests {
  private final class Arrivals: Sendable {
    let all = Lock<[String]>([])
    /// Who leaves when the second one comes.
    let leaving = Lock<Task<String, any Error>?>(nil)
  }

  /// A client whose host has so many requests in ten seconds, of which none is left, and what it is asked for and when.
  private final class Queue: Sendable {
    private let arrivals = Arrivals()
    let lab: Lab

    var served: [String] { arrivals.all.withLock { $0 } }

    init(of limit: Int = 2, _ change: (inout HTTPPolicy) -> Void = { _ in }) async {
      let start = Ambient.clock.now
      lab = Lab {
        $0.quota = QuotaPacing(spread: 0)
        change(&$0)
      }
      lab.transport.on(
        .any,
        respond: [
          .computed { [arrivals] request in
            let time = start.duration(to: Ambient.clock.now)
            if request.url.path == "/b" { arrivals.leaving.withLock { $0 }?.cancel() }
            arrivals.all.withLock { $0.append("\(request.url.path) at \(time.text)") }
            return .status(200)
          }
        ])
      lab.transport.on(.get("/first"), respond: [Self.told(limit)])
      _ = await lab.get("/first")
    }

    private static func told(_ limit: Int) -> ScriptedTransport.Step {
      .status(200, headers: ["RateLimit": #""q";r=0;t=10"#, "RateLimit-Policy": #""q";q=\#(limit);w=10"#])
    }

    /// Has a call leave when the request to `/b` comes.
    func cancelAtB(_ call: Task<String, any Error>) { arrivals.leaving.withLock { $0 = call } }

    /// Starts calls one after the other.
    func start(_ paths: [String]) async throws -> [Task<String, any Error>] {
      var calls: [Task<String, any Error>] = []
      for path in paths { calls.append(try await lab.start(path)) }
      return calls
    }
  }

  @Test("Those who wait are served in the order in which they came, as many in each window as it has")
  func order() throws {
    try simulate(seeds: 0..<100) {
      let queue = await Queue()
      let calls = try await queue.start(["/a", "/b", "/c", "/d", "/e"])
      for call in calls { #expect(try await call.value == "200") }
      let all = queue.served
      #expect(Set(all.prefix(2)) == ["/a at 10s", "/b at 10s"])
      #expect(Set(all[2..<4]) == ["/c at 20s", "/d at 20s"] && all[4...] == ["/e at 30s"])
    }
  }

  @Test("A wait that those ahead make too long is refused at once, and told how long")
  func ahead() throws {
    try simulate(seeds: 0..<20) {
      let queue = await Queue { $0.quota?.maxWait = .seconds(15) }
      let calls = try await queue.start(["/a", "/b"])
      let start = Ambient.clock.now
      let error = await #expect(throws: HTTPError.self) { try await queue.lab.api.send(.get("/c")) }
      #expect(start == Ambient.clock.now && error?.attempts == 0)
      #expect(error?.rejection == Rejection(.rateLimited, retryAfter: .seconds(20) - .nanoseconds(2)))
      let early = await #expect(throws: HTTPError.self) {
        try await withDeadline(.seconds(11)) { try await queue.lab.api.send(.get("/c")) }
      }
      #expect(early?.rejection?.reason == .rateLimited)
      for call in calls { #expect(try await call.value == "200") }
    }
  }

  @Test("Who leaves the queue lets those behind move up", arguments: [0, 1])
  func moveUp(leaving: Int) throws {
    try simulate(seeds: 0..<100) {
      let queue = await Queue()
      let calls = try await queue.start(["/a", "/b", "/c"])
      calls[leaving].cancel()
      for (index, call) in calls.enumerated() {
        #expect(try await call.value == (index == leaving ? "cancelled" : "200"))
      }
      let stayed = ["/a at 10s", "/b at 10s", "/c at 10s"].enumerated().filter { $0.offset != leaving }
      #expect(Set(queue.served) == Set(stayed.map(\.element)))
    }
  }

  @Test("Nobody who comes later snatches what has come for those who wait")
  func snatched() throws {
    try simulate(seeds: 0..<200) {
      let queue = await Queue()
      let calls = try await queue.start(["/a", "/b", "/c"])
      // This is the instant at which the turn of two comes.
      try await Ambient.sleep(for: .seconds(10) - .nanoseconds(3))
      let late = try await queue.start(["/late"])
      for call in calls + late { #expect(try await call.value == "200") }
      #expect(Set(queue.served.prefix(2)) == ["/a at 10s", "/b at 10s"])
      #expect(Set(queue.served.suffix(2)) == ["/c at 20s", "/late at 20s"])
    }
  }

  @Test("A request that meets a caller on the way out goes to the next")
  func handOver() throws {
    let met = Lock(Set<String>())
    try simulate(seeds: 0..<300) {
      let queue = await Queue()
      let calls = try await queue.start(["/a", "/b", "/c", "/d"])
      // Both have been let through then, and the first may not know it yet.
      queue.cancelAtB(calls[0])
      for (index, call) in calls.enumerated() where index > 0 { #expect(try await call.value == "200") }
      _ = try await calls[0].value
      let all = queue.served
      // Each window has its two, whoever they are.
      if all.contains("/a at 10s") {
        #expect(Set(all.prefix(2)) == ["/a at 10s", "/b at 10s"])
        #expect(Set(all.dropFirst(2)) == ["/c at 20s", "/d at 20s"])
      } else {
        #expect(Set(all.prefix(2)) == ["/b at 10s", "/c at 10s"] && all.dropFirst(2) == ["/d at 20s"])
      }
      met.withLock { $0 = $0.union(all) }
    }
    // Both were met.
    #expect(met.withLock { $0.isSuperset(of: ["/a at 10s", "/c at 10s"]) })
  }

  @Test("An answer that tells of more lets those through who wait for it, in their order")
  func more() throws {
    try simulate(seeds: 0..<50) {
      let queue = await Queue(of: 1)
      queue.lab.transport.on(
        .get("/more"), respond: [.status(200, headers: ["RateLimit": #""q";r=2;t=10"#]).after(.seconds(3))])
      let calls = try await queue.start(["/more", "/b", "/c", "/d"])
      for call in calls { #expect(try await call.value == "200") }
      #expect(Set(queue.served.prefix(2)) == ["/b at 13s", "/c at 13s"])
      #expect(queue.served.dropFirst(2) == ["/d at 23s"])
    }
  }

  @Test("An answer that makes a wait too long ends it, and the caller is told how long")
  func worse() throws {
    try simulate(seeds: 0..<50) {
      let queue = await Queue(of: 1) { $0.quota?.maxWait = .seconds(25) }
      queue.lab.transport.on(
        .get("/worse"), respond: [.status(200, headers: ["RateLimit": #""q";r=0;t=24"#]).after(.seconds(3))])
      let calls = try await queue.start(["/worse", "/b"])
      // It came 1 ns after the start, and was to go at 20 s; by the answer at 13 s it is 37 s.
      #expect(try await calls[1].value == "rate_limited")
      #expect(Ambient.clock.now.offset == .seconds(13) && queue.lab.transport.requests.count == 2)
      #expect(try await calls[0].value == "200")
    }
  }

  @Test("When all have left, no timer is left")
  func timers() async throws {
    let clock = TestClock()
    try await withClock(clock) {
      let queue = await Queue()
      let calls = ["/a", "/b"].map { path in Task { await queue.lab.get(path) } }
      // One alarm for the turn, and the longest wait of each.
      await clock.waitForSleepers(3)
      for call in calls { call.cancel() }
      for call in calls { #expect(await call.value == "cancelled") }
      #expect(clock.sleepers.isEmpty)
    }
  }
}
