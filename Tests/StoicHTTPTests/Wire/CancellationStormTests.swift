import Foundation
import Stoic
import StoicHTTP
import StoicLocalServer
import StoicTesting
import Testing

@Suite("Cancelling many exchanges at once", .timeLimit(.minutes(30)))
struct CancellationStormTests {
  /// What a request asks of the server.
  private enum Wish: CaseIterable {
    case answer, redirect, challenge, hang, drop, large

    var response: LocalServer.Response {
      switch self {
      case .answer: .text("well")
      case .redirect: .status(302, headers: ["Location": "/next"])
      case .challenge: .status(401, headers: ["WWW-Authenticate": "Basic realm=\"a\""])
      case .hang: .hang
      case .drop: .drop
      case .large:
        LocalServer.Response(status: 200, body: [.repeated(0x61, count: 1 << 21), .hang], chunked: true)
      }
    }
  }

  /// One exchange, and when it is cancelled: as it starts, or as the server answers, a few steps later.
  private struct Plan {
    let wish: Wish
    let method: HTTPMethod
    let isEarly: Bool
    let steps: Int

    init(_ random: inout RandomSource) {
      wish = Wish.allCases.randomElement(using: &random) ?? .answer
      method = Bool.random(using: &random) ? .get : .post
      isEarly = Int.random(in: 0..<4, using: &random) == 0
      steps = Int.random(in: 0..<400, using: &random)
    }
  }

  @Test(
    "Two hundred cancellations at random moments: every caller hears, every connection ends",
    arguments: WireTransport.all)
  func storm(_ wire: WireTransport) async throws {
    var random = RandomSource.seeded(7)
    let plans = (0..<200).map { _ in Plan(&random) }
    let calls = Lock<[WireCall]>([])
    let cancel = { @Sendable (number: Int) async in
      for _ in 0..<plans[number].steps { await Task.yield() }
      calls.withLock { $0[number] }.cancel()
    }
    let server = try await LocalServer.start { request in
      guard let number = Int(request.path.dropFirst()) else { return .status(404) }
      Task { await cancel(number) }
      return plans[number].wish.response
    }
    defer { server.stop() }
    let clock = TestClock()
    let start = LocalServer.Gate()
    do {
      let transport = wire()
      for (number, plan) in plans.enumerated() {
        let call = WireCall {
          await start.wait()
          return try await withClock(clock) {
            let request = TransportRequest.to(server, "/\(number)", plan.method, timeout: .seconds(10))
            return try await transport.send(request, maxResponseBytes: 1_000_000)
          }
        }
        calls.withLock { $0.append(call) }
      }
    }
    start.open()
    for (number, plan) in plans.enumerated() where plan.isEarly { await cancel(number) }
    for call in calls.withLock({ $0 }) { _ = try? await call.value }
    #expect(clock.sleepers == [])
    #expect(await server.waitForOpenConnections(atMost: 0))
  }
}
