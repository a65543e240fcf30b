import Foundation
import Stoic
import StoicHTTP
import StoicTesting
import Testing

@Suite("A script under simulation")
struct ScriptedSimulation {
  private static let steps: [ScriptedTransport.Step] = [
    .status(200), .status(503).after(.seconds(2)), .json("1").after(.seconds(12)), .bytes([1, 2, 3]),
    .failure(.networkConnectionLost).after(.seconds(1)), .hang, .oversized(1 << 40), .oversized(2),
    .computed { _ in
      try await Ambient.sleep(for: .seconds(3)) as Void; return .status(204)
    },
  ]

  @Test("Whatever is answered and whenever callers leave, the counts are exact", arguments: [false, true])
  func counts(earlyTimers: Bool) throws {
    try simulate(seeds: 0..<1_000, earlyTimers: earlyTimers) {
      let transport = ScriptedTransport(
        (0..<8).map { _ in Self.steps[Int(Ambient.random.next() % UInt64(Self.steps.count))] })
      transport.on(.get("/0"), where: { _ in true }, respond: [.hang])
      transport.faults = .init(failure: 0.1, status: 0.1, hang: 0.1, delay: .zero ... .seconds(2))
      let calls = (0..<6).map { number in
        Ambient.task {
          try await transport.send(.scripted("/\(number)", timeout: .seconds(10)), maxResponseBytes: 2)
        }
      }
      var aborted = 0
      for (number, call) in calls.enumerated() {
        if number % 2 == 0 {
          try await Ambient.sleep(for: .milliseconds(Int64(Ambient.random.next() % 6_000)))
          call.cancel()
        }
        #expect(transport.inFlight <= transport.maxInFlight && transport.maxInFlight <= 6)
      }
      var arrived = 0
      for call in calls {
        switch await call.result {
        case .success(let answer):
          arrived += 1
          if answer.isTruncated { aborted += 1 }
        case .failure(let error as TransportError):
          arrived += 1
          if error.code == .timedOut { aborted += 1 }
        case .failure(is CancellationError): break
        case .failure(let error): Issue.record("unexpected: \(error)")
        }
      }
      // Who was cancelled before arriving is no request; who was cancelled after it is aborted.
      let cancelled = transport.requests.count - arrived
      #expect((0...3).contains(cancelled))
      #expect(transport.inFlight == 0 && transport.aborted == aborted + cancelled, "\(transport)")
      #expect(Set(transport.requests.map(\.url)).count == transport.requests.count)
    }
  }

  @Test("Of steps for many callers at once each goes to one of them")
  func sharing() throws {
    try simulate(seeds: 0..<500) {
      let transport = ScriptedTransport((0..<10).map { .json("\($0)").after(.seconds($0 % 3)) })
      let texts = try await withThrowingTaskGroup(of: String?.self) { group in
        for _ in 0..<10 { group.addTask { try await transport.send(.scripted()).text } }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(texts.compactMap { $0.flatMap { Int($0) } }.sorted() == Array(0..<10))
      #expect(transport.counts(10, aborted: 0, most: transport.maxInFlight))
    }
  }
}
