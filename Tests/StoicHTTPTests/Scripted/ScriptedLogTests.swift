import Foundation
import Stoic
import StoicHTTP
import StoicTesting
import Testing

@Suite("What a script prints")
struct ScriptedLogTests {
  @Test("A line an exchange: method, URL, answer and virtual time")
  func lines() throws {
    let text = Lock("")
    try simulate(seeds: 0..<1, schedules: [.uniform]) {
      struct Own: Error {}
      let transport = ScriptedTransport()
      transport.on(
        .get("/a"),
        respond: [
          .status(503), .json("1").after(.seconds(2)), .failure(.networkConnectionLost), .oversized(9),
          .hang, .computed { _ in throw Own() },
        ])
      for _ in 0..<6 {
        _ = try? await transport.send(.scripted("/a", timeout: .seconds(10)), maxResponseBytes: 5)
      }
      transport.faults = .init(status: 1)
      _ = try? await transport.send(.scripted("/b", .post))
      transport.faults = nil
      _ = try? await transport.send(.scripted("/b", .post))
      let hanging = Ambient.task { try await transport.send(.scripted("/a", timeout: .seconds(1))) }
      transport.on(.get("/a"), respond: [.hang])
      try await Ambient.sleep(for: .milliseconds(500))
      text.withLock { $0 = "\(transport)" }
      hanging.cancel()
      _ = await hanging.result
      #expect("\(transport)".hasSuffix("9. GET https://h/a: cancelled, 12s to 12.5s"))
    }
    #expect(
      text.withLock { $0 } == """
        9 requests, 1 in flight, 2 aborted
        1. GET https://h/a: 503, at 0s
        2. GET https://h/a: 200, 0s to 2s
        3. GET https://h/a: connection lost, at 2s
        4. GET https://h/a: 200, cut at the limit, at 2s
        5. GET https://h/a: timed out, 2s to 12s
        6. GET https://h/a: threw an error of its own, at 12s
        7. POST https://h/b: 503, a fault, at 12s
        8. POST https://h/b: 404, unscripted, at 12s
        9. GET https://h/a: in flight, since 12s
        """)
  }

  @Test("No text shows a query, a field's value or a body")
  func secrets() async throws {
    struct Own: Error, CustomStringConvertible { let description = "sesame" }
    let headers: HTTPHeaders = ["X-Key": "sesame", "Authorization": "sesame"]
    let step = ScriptedTransport.Step.json("sesame", headers: headers)
    let match = ScriptedTransport.Match(
      .get("/x?sesame"), query: ["k": "sesame"], headers: headers, where: { _ in true })
    let transport = ScriptedTransport([step, .computed { _ in throw Own() }])
    transport.on(match, respond: [step])
    let request = TransportRequest.scripted("/x?k=sesame", headers: headers, body: Array("sesame".utf8))
    for _ in 0..<2 { _ = try? await transport.send(request) }
    let values: [Any] = [transport, step, match, transport.requests, transport.faults as Any]
    for value in values {
      var dumped = ""
      dump(value, to: &dumped)
      for text in ["\(value)", String(reflecting: value), dumped] {
        #expect(!text.contains("sesame") && !text.isEmpty)
      }
    }
    #expect("\(step)" == "200 with 6 bytes")
    #expect("\(match)" == "GET /x with conditions")
    #expect("\(ScriptedTransport.Match.any)" == "any method any path")
    #expect("\(ScriptedTransport.Step.hang.after(.seconds(2)))" == "hang after 2s")
  }

  @Test("A transport that nothing reached says so")
  func empty() {
    #expect("\(ScriptedTransport())" == "0 requests, 0 in flight, 0 aborted")
  }
}
