import Foundation
import StoicHTTP
import StoicTesting
import Testing

@Suite("Final answers to hedged attempts", .timeLimit(.minutes(30)))
struct HedgeFinalTests {
  private static func lab(attempts: Int = 3, _ change: (inout HTTPPolicy) -> Void = { _ in }) -> Lab {
    Lab(attempts: attempts) {
      $0.hedge = .init(delay: .fixed(.seconds(1)), minimumHedges: 10)
      change(&$0)
    }
  }

  /// Sends a request: its status, or the word of its last attempt and how many attempts it took; and after what time.
  private static func send(_ api: HTTPClient, _ request: HTTPRequest) async -> String {
    let start = Ambient.clock.now
    let word: String
    do { word = "\(try await api.send(request).status)" } catch {
      let call = (error as? HTTPError)?.call
      word = call.map { "\($0.history.last?.outcome ?? "none") of \($0.attempts)" } ?? "cancelled"
    }
    return word + " after \(start.duration(to: Ambient.clock.now).text)"
  }

  @Test(
    "A final answer to either attempt ends the round at once, and the other one is cancelled and cleaned up",
    arguments: [
      (.status(404), "status_404"), (.status(400), "status_400"), (.status(501), "status_501"),
      (.failure(.secureConnectionFailed), "transport_-1200"),
      (.oversized(3), "response_too_large"),
    ] as [(ScriptedTransport.Step, String)], [1, 2])
  func ends(_ answer: (step: ScriptedTransport.Step, word: String), _ attempt: Int) throws {
    try simulate(seeds: 0..<30) {
      let lab = Self.lab { ($0.maxConcurrentPerHost, $0.maxResponseBytes, $0.breaker) = (2, 2, nil) }
      let final = answer.step.after(.milliseconds(attempt == 1 ? 1_500 : 500))
      lab.transport.on(.get("/a"), respond: attempt == 1 ? [final, .hang] : [.hang, final])
      lab.transport.on(.get("/b"), respond: [.status(200)])
      let events = EventRecorder()
      let outcome = try await withEvents(events) { await Self.send(lab.api, .get("/a")) }
      #expect(outcome == "\(answer.word) of 2 after 1.5s")
      let told = events.events(named: "http.request").sorted { $0["attempt"] ?? "" < $1["attempt"] ?? "" }
      let words = attempt == 1 ? [answer.word, "cancelled"] : ["cancelled", answer.word]
      #expect(told.map { $0["outcome"] } == words)
      #expect(lab.transport.requests.count == 2 && lab.transport.inFlight == 0)
      // The one that was too large was cut as well.
      #expect(lab.transport.aborted == (answer.word == "response_too_large" ? 2 : 1))
      #expect(lab.api.policy.budget?.available == 9)
      // Both permits are back.
      #expect(await lab.getAll(["/b", "/b"]) == ["200", "200"])
    }
  }

  @Test(
    "A failure that may be tried again does not end the round while the other attempt runs",
    arguments: [1, 2])
  func retryable(_ attempt: Int) throws {
    try simulate(seeds: 0..<30) {
      for failure in [ScriptedTransport.Step.status(503), .failure(.networkConnectionLost)] {
        let lab = Self.lab()
        let failure = failure.after(.milliseconds(attempt == 1 ? 1_500 : 500))
        let answer = ScriptedTransport.Step.status(200).after(.seconds(attempt == 1 ? 2 : 3))
        lab.transport.on(.get("/a"), respond: attempt == 1 ? [failure, answer] : [answer, failure])
        #expect(await Self.send(lab.api, .get("/a")) == "200 after 3s")
        #expect(lab.transport.requests.count == 2 && lab.transport.aborted == 0)
      }
    }
  }

  @Test(
    "A final answer decides, though the other attempt has failed so that it may be tried again",
    arguments: [1, 2])
  func decides(_ attempt: Int) throws {
    try simulate(seeds: 0..<30) {
      let lab = Self.lab()
      let (final, failure) = (ScriptedTransport.Step.status(404), ScriptedTransport.Step.status(503))
      lab.transport.on(
        .get("/a"),
        respond: attempt == 1
          ? [final.after(.seconds(3)), failure] : [failure.after(.seconds(2)), final.after(.seconds(2))])
      #expect(await Self.send(lab.api, .get("/a")) == "status_404 of 2 after 3s")
      #expect(lab.transport.requests.count == 2 && lab.api.policy.budget?.available == 9)
    }
  }

  @Test(
    "What one attempt of a change finds may be the other one's effect: a final answer waits for the other one",
    arguments: [HTTPRequest.put("/a"), .delete("/a")])
  func changes(_ request: HTTPRequest) throws {
    try simulate(seeds: 0..<30) {
      let lab = Self.lab()
      lab.transport.on(
        .any, respond: [.status(204).after(.seconds(3)), .status(404).after(.milliseconds(100))])
      #expect(await Self.send(lab.api, request) == "204 after 3s")
    }
  }

  @Test(
    "Of a change that fails twice the final answer decides, whichever attempt has it: there is no further try",
    arguments: [HTTPRequest.put("/a"), .delete("/a")], [1, 2])
  func changeFails(_ request: HTTPRequest, _ attempt: Int) throws {
    try simulate(seeds: 0..<30) {
      let lab = Self.lab()
      let (final, failure) = (ScriptedTransport.Step.status(404), ScriptedTransport.Step.status(503))
      lab.transport.on(
        .any,
        respond: attempt == 1
          ? [final.after(.seconds(3)), failure] : [failure.after(.seconds(3)), final])
      #expect(await Self.send(lab.api, request) == "status_404 of 2 after 3s")
      #expect(lab.transport.requests.count == 2)
    }
  }

  /// Answers the first request after two seconds, cancelled or not, and no other one.
  private final class Deaf: HTTPTransport {
    let requests = Lock(0)
    var enforcesTimeout: Bool { true }

    func send(_ request: TransportRequest, maxResponseBytes: Int) async throws -> HTTPResponse {
      let number = requests.withLock { count in
        count += 1
        return count
      }
      guard number == 1 else {
        try await Ambient.sleep(for: .seconds(900))
        throw CancellationError()
      }
      let task = Ambient.task { try await Ambient.sleep(for: .seconds(2)) }
      _ = await task.result
      return HTTPResponse(status: 200, headers: [:], url: request.url)
    }
  }

  @Test("A cancelled attempt is no final answer: what the other one brings all the same is not lost")
  func cancelled() throws {
    try simulate(seeds: 0..<30) {
      var policy = Rig.pinned
      policy.hedge = .init(delay: .fixed(.seconds(1)))
      let transport = Deaf()
      let api = HTTPClient(base: makeURL("https://h.example"), transport: transport, policy: policy)
      let call = Ambient.task { await Self.send(api, .get("/a")) }
      try await Ambient.sleep(for: .milliseconds(1_500))
      call.cancel()
      #expect(try await call.value == "200 after 2s")
      #expect(transport.requests.withLock { $0 } == 2)
    }
  }
}
