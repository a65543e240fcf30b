import Foundation
import StoicHTTP
import StoicTesting
import Testing

@Suite("The client under simulation")
struct ClientUnderSimulation {
  /// What a caller does.
  private static func request(_ number: Int) -> (request: HTTPRequest, key: String?) {
    switch number % 4 {
    case 0: (.get("/\(number)"), nil)
    case 1: (.post("/\(number)", json: ["n": 1]), nil)
    case 2: (.post("/\(number)", json: ["n": 2]), "key-\(number)")
    default: (.delete("/\(number)"), nil)
    }
  }

  /// A server that is well, slow, down, dropping or silent, by the run's choices.
  private static func answers() -> [ScriptedTransport.Step] {
    let all: [ScriptedTransport.Step] = [
      .status(200), .status(200).after(.seconds(3)), .status(503),
      .status(429, headers: ["Retry-After": "2"]),
      .failure(.networkConnectionLost), .hang, .status(200).after(.seconds(12)), .status(404),
    ]
    return (0..<3).map { _ in all[Int(Ambient.random.next() % UInt64(all.count))] }
  }

  @Test(
    "Whatever the server does and whenever callers leave: no unkeyed POST twice, attempts within policy, nothing left",
    arguments: [false, true])
  func callers(earlyTimers: Bool) throws {
    try simulate(seeds: 0..<1_000, earlyTimers: earlyTimers) {
      let transport = ScriptedTransport()
      let api = HTTPClient(base: makeURL("https://h"), transport: transport)
      await withTaskGroup(of: Void.self) { group in
        for number in 0..<8 {
          let (request, key) = Self.request(number)
          transport.on(request, respond: Self.answers())
          group.addTask(name: "caller \(number)") {
            let call = Ambient.task {
              try await withDeadline(.seconds(25)) { try await api.send(request, idempotencyKey: key) }
            }
            if number >= 6 {
              try? await Ambient.sleep(for: .milliseconds(Int64(Ambient.random.next() % 30_000)))
              call.cancel()
            }
            switch await call.result {
            // A value that comes at the deadline is late: then the rejection is the deadline's own.
            case .success, .failure(is HTTPError), .failure(is Rejection): break
            case .failure(is CancellationError): #expect(number >= 6)
            case .failure(let error): Issue.record("unexpected: \(error)")
            }
          }
        }
      }
      for number in 0..<8 {
        let sent = transport.requests.filter { $0.url.path == "/\(number)" }
        #expect(sent.count <= (number % 4 == 1 ? 1 : 3))
        #expect(Set(sent.map(\.body)).count <= 1)
        #expect(sent.allSatisfy { $0.headers["Idempotency-Key"] == Self.request(number).key })
      }
      #expect(transport.inFlight == 0)
    }
  }

  @Test("An attempt's timeout and the deadline fall where they should, at any order of the timers")
  func exactTimes() throws {
    try simulate(seeds: 0..<500) {
      let transport = ScriptedTransport()
      transport.on(.get("/x"), respond: [.hang])
      let api = HTTPClient(base: makeURL("https://h"), transport: transport, policy: Rig.pinned)
      let start = Ambient.clock.now
      let timedOut = await #expect(throws: HTTPError.self) { try await api.send(.get("/x")) }
      #expect(timedOut?.timedOutAttempt == 3)
      #expect(start.duration(to: Ambient.clock.now) == .milliseconds(30_600))
      let expired = await #expect(throws: HTTPError.self) {
        try await withDeadline(.seconds(10)) { try await api.send(.get("/x")) }
      }
      #expect(expired?.rejection == Rejection(.deadlineExceeded) && expired?.attempts == 1)
      #expect(start.duration(to: Ambient.clock.now) == .milliseconds(40_600))
    }
  }
}
