import Foundation
import Stoic
import StoicHTTP
import StoicJSON
import StoicTesting
import Testing

@Suite("Steps of a script", .timeLimit(.minutes(30)))
struct ScriptedStepTests {
  @Test("Every kind of response is delivered as it is written")
  func responses() async throws {
    let value: JSON = ["id": 42]
    let transport = ScriptedTransport([
      .status(503), .status(503, headers: ["Retry-After": "30"]), .json(#"{"id": 42}"#),
      .json("[]", status: 201), .json(value), .json("{", headers: ["Content-Type": "application/x+json"]),
      .bytes([1, 2], status: 206, headers: ["X-A": "1"]), .oversized(3), .oversized(2, status: 503),
    ])
    var answers: [HTTPResponse] = []
    for _ in 0..<9 { answers.append(try await transport.send(.scripted("/x?q=1"))) }
    #expect(answers.map(\.status) == [503, 503, 200, 201, 200, 200, 206, 200, 503])
    #expect(answers.map(\.body.count) == [0, 0, 10, 2, 9, 1, 2, 3, 2])
    #expect(answers[1].headers == ["Retry-After": "30"])
    #expect(answers[2].headers == ["Content-Type": "application/json"])
    #expect(answers[4].text == #"{"id":42}"#)
    #expect(answers[5].headers == ["Content-Type": "application/x+json"])
    #expect(answers[6].body == [1, 2] && answers[6].headers == ["X-A": "1"])
    #expect(answers[7].body == [0, 0, 0])
    #expect(answers.allSatisfy { !$0.isTruncated && $0.url == makeURL("https://h/x?q=1") })
    #expect(transport.counts(9, aborted: 0))
  }

  @Test("Repeated fields are delivered apart and in order")
  func repeatedFields() async throws {
    var headers: HTTPHeaders = ["Set-Cookie": "a=1; Expires=Mon, 19 Jan 2026 00:00:00 GMT", "X-A": "1"]
    headers.add("set-cookie", "b=2")
    let transport = ScriptedTransport([.status(200, headers: headers)])
    let answer = try await transport.send(.scripted())
    #expect(
      answer.headers.values(for: "Set-Cookie") == ["a=1; Expires=Mon, 19 Jan 2026 00:00:00 GMT", "b=2"])
  }

  @Test("Any integer is a status", arguments: [0, 99, 600, -1, Int.max, Int.min])
  func anyStatus(_ status: Int) async throws {
    #expect(try await ScriptedTransport([.status(status)]).send(.scripted()).status == status)
    let rig = Rig()
    rig.transport.on(.any, respond: [.status(status)])
    #expect(await rig.failure(.get("/a"))?.status == status)
  }

  @Test(
    "A failure says whether the server may have acted, by its code or as it is told",
    arguments: [
      (ScriptedTransport.Step.failure(.networkConnectionLost), true), (.failure(.cannotConnectToHost), false),
      (.failure(.networkConnectionLost, mayHaveActed: false), false),
      (.failure(.cannotConnectToHost, mayHaveActed: true), true),
      (.failure(TransportError(code: .unknown, mayHaveActed: false)), false),
    ])
  func failures(_ step: ScriptedTransport.Step, mayHaveActed: Bool) async throws {
    let transport = ScriptedTransport([step])
    let error = await #expect(throws: TransportError.self) { try await transport.send(.scripted()) }
    #expect(error?.mayHaveActed == mayHaveActed)
    #expect(transport.counts(1, aborted: 0))
  }

  @Test("A JSON value that cannot be written fails the exchange")
  func unwritable() async throws {
    let transport = ScriptedTransport([.json(JSON(Double.nan))])
    await #expect(throws: JSONWritingError.self) { try await transport.send(.scripted()) }
    #expect(transport.counts(1, aborted: 0))
  }

  @Test("A body as long as the limit is whole, one over it is cut, whatever the counts")
  func limits() async throws {
    for (count, limit, delivered, isTruncated) in [
      (3, 3, 3, false), (3, 2, 2, true), (3, 0, 0, true), (0, 0, 0, false), (3, -1, 0, true),
    ] {
      let transport = ScriptedTransport([.bytes(Array(repeating: 7, count: count), status: 503)])
      let answer = try await transport.send(.scripted(), maxResponseBytes: limit)
      #expect(answer.body == Array(repeating: 7, count: delivered) && answer.isTruncated == isTruncated)
      #expect(answer.status == 503 && transport.counts(1, aborted: isTruncated ? 1 : 0))
    }
    for (count, limit, delivered, isTruncated) in [
      (3, 3, 3, false), (Int.max, 10, 0, true), (1 << 40, 1 << 39, 0, true), (-1, 0, 0, false),
      (Int.min, -1, 0, false), (1, -1, 0, true),
    ] {
      let transport = ScriptedTransport([.oversized(count, status: 201)])
      let answer = try await transport.send(.scripted(), maxResponseBytes: limit)
      #expect(answer.body == Array(repeating: 0, count: delivered) && answer.isTruncated == isTruncated)
      #expect(answer.status == 201 && transport.counts(1, aborted: isTruncated ? 1 : 0))
    }
  }

  @Test(
    "What has no body on the wire has none here, and no limit",
    arguments: [(HTTPMethod.head, 200), (.get, 204), (.get, 205), (.post, 304)])
  func bodiless(_ method: HTTPMethod, status: Int) async throws {
    let transport = ScriptedTransport([.oversized(Int.max, status: status), .bytes([1], status: status)])
    for _ in 0..<2 {
      let answer = try await transport.send(.scripted("/x", method), maxResponseBytes: 0)
      #expect(answer.status == status && answer.body == [] && !answer.isTruncated)
    }
    #expect(transport.counts(2, aborted: 0))
  }

  @Test("Delays add up on the ambient clock, and those of zero or less count for nothing")
  func delays() throws {
    try simulate(seeds: 0..<50) {
      for (delays, wait) in [
        ([2, 3], 5), ([-5], 0), ([2, -1], 2), ([0], 0), ([Int64.min, 1], 1),
      ] as [([Int64], Int64)] {
        let step = delays.reduce(ScriptedTransport.Step.status(200)) { $0.after(.seconds($1)) }
        let start = Ambient.clock.now
        try await ScriptedTransport([step]).send(.scripted())
        #expect(start.duration(to: Ambient.clock.now) == .seconds(wait))
      }
    }
  }

  @Test("The timeout ends whatever comes later, or at the same time", arguments: [10, 11, Int64.max])
  func timeouts(_ delay: Int64) throws {
    try simulate(seeds: 0..<50) {
      let steps: [ScriptedTransport.Step] = [
        .status(200), .json("1"), .bytes([1]), .oversized(9), .failure(.badURL), .hang,
        .computed { _ in .status(200) },
      ]
      let transport = ScriptedTransport(steps.map { $0.after(.seconds(delay)) })
      for count in 1...steps.count {
        let start = Ambient.clock.now
        await #expect(throws: TransportError(code: .timedOut, mayHaveActed: true)) {
          try await transport.send(.scripted(timeout: .seconds(10)))
        }
        #expect(start.duration(to: Ambient.clock.now) == .seconds(10))
        #expect(transport.counts(count, aborted: count))
      }
    }
  }

  @Test("A request without time, or of a cancelled task, does not arrive", arguments: [0, -1, Int64.min])
  func neverArrives(_ timeout: Int64) async throws {
    let transport = ScriptedTransport([.status(200)])
    await #expect(throws: TransportError(code: .timedOut, mayHaveActed: false)) {
      try await transport.send(.scripted(timeout: .seconds(timeout)))
    }
    let call = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await transport.send(.scripted())
    }
    await #expect(throws: CancellationError.self) { try await call.value }
    #expect(transport.counts(0, aborted: 0, most: 0))
  }
}
