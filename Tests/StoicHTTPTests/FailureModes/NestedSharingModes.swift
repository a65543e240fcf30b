import Foundation
import Stoic
import StoicHTTP
import StoicTesting
import Testing

@Suite("Failure modes of requests that are shared within other work")
struct NestedSharingModes {
  @Test(
    "A caller within another retry's attempt does not lend its single attempt to others, nor is it kept apart when it may retry",
    arguments: [(RetrySchedule.Nesting.singleAttempt, [1, 3], 4), (.independent, [3, 3], 3)])
  func nesting(nesting: RetrySchedule.Nesting, attempts: [Int], sent: Int) throws {
    try simulate(seeds: 0..<100) {
      let transport = ScriptedTransport()
      transport.on(.get("/x"), respond: [.status(503).after(.seconds(1))])
      var policy = Rig.pinned
      policy.retry.nesting = nesting
      let api = HTTPClient(base: makeURL("https://h"), transport: transport, policy: policy)
      let nested = Ambient.task {
        try await retry(RetrySchedule(maxAttempts: 1)) { _ in try await api.send(.get("/x")) }
      }
      try await Ambient.sleep(for: .nanoseconds(1))
      let plain = Ambient.task { try await api.send(.get("/x")) }
      let first = await #expect(throws: HTTPError.self) { try await nested.value }
      let second = await #expect(throws: HTTPError.self) { try await plain.value }
      #expect([first?.attempts, second?.attempts] == attempts && transport.requests.count == sent)
    }
  }

  @Test(
    "A request that its own answer needs again, by way of others, is sent again and does not wait for itself",
    arguments: [1, 2, 5])
  func circle(length: Int) throws {
    try simulate(seeds: 0..<20) {
      let ring = Ring(length: length)
      let api = HTTPClient(base: makeURL("https://h"), transport: ring, policy: Rig.pinned)
      ring.client.withLock { $0 = api }
      let response = try await api.send(.get("/0"))
      #expect(response.status == 200)
      #expect(ring.asked.withLock { $0 } == (0...length).map { "/\($0 % length)" })
      #expect(api.flights == 0)
    }
  }

  /// Servers in a ring, each of which asks the next one, through the same client, before it answers.
  private final class Ring: HTTPTransport {
    let length: Int
    let client = Lock<HTTPClient?>(nil)
    let asked = Lock<[String]>([])

    init(length: Int) {
      self.length = length
    }

    func send(_ request: TransportRequest, maxResponseBytes: Int) async throws -> HTTPResponse {
      let count = asked.withLock { asked in
        asked.append(request.url.path)
        return asked.count
      }
      if count <= length, let api = client.withLock({ $0 }) {
        _ = try await api.send(.get("/\(count % length)"))
      }
      return HTTPResponse(status: 200, url: request.url)
    }
  }
}
