#if os(Linux) || os(macOS)
import Foundation
import Stoic
import StoicHTTP
import StoicLocalServer
import StoicTesting
import Testing

@Suite("Many exchanges on libcurl's transport", .timeLimit(.minutes(30)))
struct CurlStormTests {
  /// What a request asks of the server.
  private enum Wish: CaseIterable {
    case answer, challenge, hang, drop, reset, endless, packed, cutHead

    var response: LocalServer.Response {
      switch self {
      case .answer: .text("well")
      case .challenge: .status(401, headers: ["WWW-Authenticate": "Basic realm=\"a\""])
      case .hang: .hang
      case .drop: .drop
      case .reset: .reset
      case .endless:
        LocalServer.Response(status: 200, body: [.repeated(0x61, count: 1 << 40)], chunked: true)
      case .packed:
        LocalServer.Response(
          status: 200, headers: ["Content-Encoding": "gzip"],
          body: [.packed(repeating: 0, count: 25_800, as: .gzip), .hang],
          chunked: true)
      case .cutHead: .raw("HTTP/1.1 200 OK\r\nX-A")
      }
    }
  }

  /// Makes a hundred calls one after another, each cancelled a few steps later; returns how many ended.
  private func calls(
    to server: LocalServer, on transport: CurlTransport, _ clock: TestClock, _ source: RandomSource
  ) async -> Int {
    var random = source
    var ended = 0
    for number in 0..<100 {
      let method: HTTPMethod = Bool.random(using: &random) ? .get : .post
      let steps = Int.random(in: 0..<60, using: &random)
      let isRead = Bool.random(using: &random)
      let request = TransportRequest.to(server, "/\(number)", method, timeout: .seconds(10))
      let call = Task {
        try await withClock(clock) {
          if isRead {
            for try await _ in try await transport.stream(request).body {}
          } else {
            _ = try await transport.send(request, maxResponseBytes: 1_000_000)
          }
        }
      }
      for _ in 0..<steps { await Task.yield() }
      call.cancel()
      _ = await call.result
      ended += 1
    }
    return ended
  }

  @Test("Cancelled at random moments, every caller hears, once, and every connection ends")
  func storm() async throws {
    let wishes = Wish.allCases
    let server = try await LocalServer.start { request in
      wishes[(Int(request.path.dropFirst()) ?? 0) % wishes.count].response
    }
    defer { server.stop() }
    let clock = TestClock()
    let transport = try CurlTransport()
    let lanes = (0..<16).map { lane in
      Task { await calls(to: server, on: transport, clock, RandomSource.seeded(UInt64(lane))) }
    }
    var ended = 0
    for lane in lanes { ended += await lane.value }
    #expect(ended == 1_600)
    #expect(clock.sleepers == [])
    await transport.shutDown()
    #expect(await server.waitForOpenConnections(atMost: 0))
  }

  @Test("Shut down at random moments, every caller hears")
  func shutDowns() async throws {
    let server = try await LocalServer.start { request in
      request.path == "/hang" ? .hang : .text("well")
    }
    defer { server.stop() }
    var random = RandomSource.seeded(3)
    for _ in 0..<40 {
      let transport = try CurlTransport()
      let calls = (0..<8).map { number in
        Task { try await transport.send(.to(server, number % 2 == 0 ? "/hang" : "/")) }
      }
      for _ in 0..<Int.random(in: 0..<100, using: &random) { await Task.yield() }
      await transport.shutDown()
      for call in calls {
        if case .failure(let error) = await call.result {
          #expect((error as? TransportError)?.code == .cancelled)
        }
      }
    }
    #expect(await server.waitForOpenConnections(atMost: 0))
  }
}
#endif
