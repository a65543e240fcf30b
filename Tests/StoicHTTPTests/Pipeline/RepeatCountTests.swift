import Foundation
import Stoic
import StoicHTTP
import StoicTesting
import Testing

@Suite("What a transport sends again on its own")
struct RepeatCountTests {
  /// Sends each request three times, and gets nothing usable.
  private struct Insistent: HTTPTransport {
    func send(_ request: TransportRequest, maxResponseBytes: Int) async throws -> HTTPResponse {
      switch request.url.path {
      case "/lost":
        var error = TransportError(.networkConnectionLost)
        error.repeats = 2
        throw error
      case "/late":
        var error = TransportError(.timedOut)
        error.repeats = 2
        throw error
      case "/moved":
        var response = HTTPResponse(status: 302, headers: ["Location": "/busy"])
        response.repeats = 1
        return response
      default:
        var response = HTTPResponse(status: 503)
        response.repeats = 2
        return response
      }
    }
  }

  @Test(
    "A repeat below the client is counted among the attempts, whatever came of it, and is no attempt of the schedule",
    arguments: [("/busy", 6), ("/lost", 6), ("/late", 6), ("/moved", 8)])
  func counted(_ path: String, _ attempts: Int) async throws {
    var policy = HTTPPolicy.standard
    policy.retry = RetrySchedule(maxAttempts: 2, base: .zero, cap: .zero, jitter: .none)
    let base = try #require(URL(string: "https://api.test"))
    let api = HTTPClient(base: base, transport: Insistent(), policy: policy)
    let events = EventRecorder()
    let error = try await withClock(TestClock()) {
      try await withEvents(events) {
        await #expect(throws: HTTPError.self) { try await api.send(.get(path)) }
      }
    }
    #expect(error?.attempts == attempts)
    #expect(error?.call.history.count == 2)
    #expect(events.events(named: "http.request").map { $0["attempt"] } == ["1", "2"])
    #expect(events.events(named: "http.failed").map { $0["attempts"] } == ["\(attempts)"])
  }
}
