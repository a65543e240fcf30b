import Foundation
import StoicHTTP
import StoicTesting
import Testing

@Suite("Events of a call")
struct CallEventsTests {
  private static let target = ["method=GET", "host=h.test:8443", "path=/x"]

  private static func rig() -> Rig {
    var rig = Rig()
    rig.base = "https://h.test:8443"
    return rig
  }

  /// The fields of each event of a name, private ones with their values marked.
  private static func fields(_ name: String, in rig: Rig) -> [[String]] {
    rig.events.events(named: name).map { event in
      #expect(event.label == "api h.test:8443")
      return event.fields.map { "\($0.key)=\($0.value)\($0.isPrivate ? " (private)" : "")" }
    }
  }

  @Test("Each attempt tells its number, its own duration, its status and outcome, and its query in private")
  func attempts() async throws {
    let rig = Self.rig()
    rig.transport.on(
      .any, respond: [.status(503).after(.seconds(1)), .failure(.networkConnectionLost), .hang])
    _ = await rig.failure(.get("/x?q=1"))
    let target = Self.target
    #expect(
      Self.fields("http.request", in: rig) == [
        target + [
          "attempt=1", "duration=1s", "status=503", "outcome=status_503", "q=1".asQuery,
        ],
        target + ["attempt=2", "duration=0s", "outcome=transport_-1005", "q=1".asQuery],
        target + ["attempt=3", "duration=10s", "outcome=timed_out", "q=1".asQuery],
      ])
    #expect(
      Self.fields("http.retry", in: rig) == [
        target + ["attempt=2", "delay=0.2s", "reason=status_503"],
        target + ["attempt=3", "delay=0.4s", "reason=transport_-1005"],
      ])
    #expect(
      Self.fields("http.failed", in: rig) == [target + ["error=timed_out", "attempts=3", "elapsed=11.6s"]])
    #expect(rig.events.events(named: "http.retry").map(\.level) == [.info, .info])
    #expect(rig.events.events(named: "http.failed").map(\.level) == [.warning])
  }

  @Test("A refused call tells who refused it")
  func refused() async throws {
    var rig = Self.rig()
    rig.policy.timeout = .seconds(2)
    rig.transport.on(.any, respond: [.hang])
    _ = await rig.failure(.get("/x"))
    #expect(
      Self.fields("http.failed", in: rig) == [
        Self.target + ["error=deadline_exceeded", "attempts=1", "elapsed=2s"]
      ])
  }

  @Test("A redirect tells where it leads, without the query")
  func redirect() async throws {
    let rig = Self.rig()
    rig.transport.on(.any, respond: [.status(200)])
    rig.transport.on(.get("/x"), respond: [.redirect(302, to: "https://other.test:444/y?secret=1")])
    try await rig.run { try await $0.send(.get("/x")) }
    #expect(
      Self.fields("http.redirect", in: rig) == [
        Self.target + ["status=302", "to_host=other.test:444", "to_path=/y"]
      ])
  }

  @Test("A body that is too large, or does not fit, has an event of its own beside the failure")
  func bodies() async throws {
    var rig = Self.rig()
    rig.policy.maxResponseBytes = 8
    rig.transport.on(.get("/x"), respond: [.oversized(9), .json("[1,2,3]")])
    _ = await rig.failure(.get("/x"))
    #expect(Self.fields("http.response_too_large", in: rig) == [Self.target])
    _ = await rig.failure { _ = try await $0.send(.get("/x"), decoding: Schema<[String]>.array(.string)) }
    #expect(Self.fields("http.decoding_failed", in: rig) == [Self.target + ["errors=3"]])
    #expect(
      Self.fields("http.failed", in: rig) == [
        Self.target + ["error=response_too_large", "attempts=1", "elapsed=0s"],
        Self.target + ["error=decoding", "attempts=1", "elapsed=0s"],
      ])
  }
}

extension String {
  /// This query as a private field.
  fileprivate var asQuery: String { "query=\(self) (private)" }
}
