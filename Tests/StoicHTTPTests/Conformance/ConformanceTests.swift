import Foundation
import Stoic
import StoicHTTP
import StoicTesting
import Testing

@Suite("The check of a transport", .timeLimit(.minutes(30)))
struct ConformanceTests {
  typealias Rule = TransportConformance.Rule

  /// How many requests of a whole check arrive.
  private static let exchanges = 159

  static let base = makeURL("https://memory.test/base?query")

  /// Checks a transport in virtual time, patient for a virtual second.
  static func check(
    _ transport: any HTTPTransport, _ farEnd: TransportConformance.FarEnd,
    rules: Set<Rule> = Set(Rule.allCases)
  ) async throws -> TransportConformance.Report {
    try await TransportConformance.check(
      transport, at: base, farEnd: farEnd, rules: rules, patience: .seconds(1))
  }

  @Test("A sound transport in memory keeps every rule, and only a timeout takes time")
  func sound() throws {
    try simulate(seeds: 0..<10) {
      let farEnd = TransportConformance.FarEnd()
      let start = Ambient.clock.now
      let report = try await Self.check(MemoryTransport(farEnd: farEnd), farEnd)
      try report.verify()
      #expect(report.checked == Rule.allCases && report.skipped == [] && report.violations == [])
      #expect(report.description == "25 of 25 rules kept")
      #expect(start.duration(to: Ambient.clock.now) == .milliseconds(200))
    }
  }

  @Test("A scripted transport keeps every rule")
  func scripted() throws {
    try simulate(seeds: 0..<10) {
      let farEnd = TransportConformance.FarEnd()
      let transport = ScriptedTransport([
        .computed { request in
          await Self.step(farEnd.answer(TransportConformance.Arrival(request)))
        }
      ])
      try await Self.check(transport, farEnd).verify()
      #expect(transport.inFlight == 0 && transport.requests.count == Self.exchanges)
    }
  }

  /// What a far end says as a step of a script.
  private static func step(_ answer: TransportConformance.Answer) -> ScriptedTransport.Step {
    guard case .response(let response) = answer else { return .failure(.networkConnectionLost) }
    let isEmpty = response.body.isEmpty
    return switch (response.ending, response.length) {
    case (.cut, _): .failure(.networkConnectionLost)
    case (.stalled, .declared(1_000)): .hang
    case (_, .declared(let count)) where isEmpty || count > 1_000_000:
      .oversized(count, status: response.status, headers: response.headers)
    default: .bytes(response.body, status: response.status, headers: response.headers)
    }
  }

  @Test("A broken transport fails the one rule that it breaks", arguments: BrokenTransport.all)
  func broken(_ transport: BrokenTransport) throws {
    let reports = Shared<Set<TransportConformance.Report>>([])
    try simulate(seeds: 0..<1) {
      let farEnd = TransportConformance.FarEnd()
      let report = try await Self.check(transport.reaching(farEnd), farEnd)
      reports.value.withLock { _ = $0.insert(report) }
      #expect(throws: TransportConformance.Failure.self) { try report.verify() }
      try report.verify(knownLimits: [transport.rule])
      // What the transport left behind comes to its end.
      try await Ambient.sleep(for: .seconds(100))
    }
    for report in reports.value.withLock({ $0 }) {
      #expect(report.violations.map(\.rule) == [transport.rule], "\(report)")
      #expect(report.violations.allSatisfy { !$0.findings.isEmpty })
    }
  }

  @Test("Every rule is broken by some transport here")
  func everyRule() {
    #expect(Set(BrokenTransport.all.map(\.rule)) == Set(Rule.allCases))
  }

  @Test("A transport that leaves its timeout to the client is not asked to keep it")
  func raced() throws {
    try simulate(seeds: 0..<3) {
      let farEnd = TransportConformance.FarEnd()
      let transport = MemoryTransport(farEnd: farEnd, enforcesTimeout: false)
      let report = try await Self.check(transport, farEnd)
      try report.verify()
      #expect(report.skipped == [.timeout] && report.checked.count == 24)
      #expect(report.description == "24 of 24 rules kept; not checked: timeout")
      try await Self.check(transport, farEnd, rules: [.timeout]).verify(knownLimits: [.timeout])
    }
  }

  @Test("Only the rules that are asked for are looked into")
  func someRules() throws {
    try simulate(seeds: 0..<3) {
      let farEnd = TransportConformance.FarEnd()
      let transport = ScriptedTransport([.computed { _ in .status(200) }])
      let report = try await Self.check(transport, farEnd, rules: [.fieldsApart, .method])
      #expect(report.checked == [.method, .fieldsApart] && report.violated == [.method])
      #expect(transport.requests.count == 11)
      let none = try await Self.check(transport, farEnd, rules: [])
      #expect(none.checked == [] && none.violations == [] && transport.requests.count == 11)
    }
  }

  @Test("A limit that is known has to be there, and another violation is not covered by it")
  func knownLimits() throws {
    try simulate(seeds: 0..<1) {
      let farEnd = TransportConformance.FarEnd()
      let sound = try await Self.check(MemoryTransport(farEnd: farEnd), farEnd)
      let kept = #expect(throws: TransportConformance.Failure.self) {
        try sound.verify(knownLimits: [.method, .fieldsApart])
      }
      #expect(kept?.kept == [.method, .fieldsApart] && kept?.violations == [])
      #expect(
        kept?.description
          == "the transport does not conform: kept, although a known limit: method, fields_apart")
      let joining = BrokenTransport.all.first { $0.rule == .fieldsApart }?.reaching(farEnd)
      let report = try await Self.check(try #require(joining), farEnd)
      let failure = #expect(throws: TransportConformance.Failure.self) {
        try report.verify(knownLimits: [])
      }
      #expect(
        failure?.description
          == "the transport does not conform: fields_apart "
          + "(X-Tag of a response came joined; Set-Cookie of a response came joined)")
    }
  }

  @Test("A transport that fails every exchange breaks rules, and the check ends")
  func dead() throws {
    try simulate(seeds: 0..<3) {
      let transport = ScriptedTransport([.failure(.cannotConnectToHost)])
      let report = try await Self.check(transport, TransportConformance.FarEnd())
      #expect(report.violations.count > 15, "\(report)")
    }
  }

  @Test("A transport that never ends an exchange, cancelled or not, is left behind")
  func hanging() async throws {
    struct Deaf: HTTPTransport {
      let hold = Latch()
      func send(_ request: TransportRequest, maxResponseBytes: Int) async throws -> HTTPResponse {
        await hold.wait()
        return HTTPResponse(status: 200)
      }
    }
    let clock = TestClock()
    let transport = Deaf()
    async let report = withClock(clock) {
      try await TransportConformance.check(
        transport, at: Self.base, farEnd: TransportConformance.FarEnd(), rules: [.noChallenge],
        patience: .seconds(1))
    }
    // Four exchanges, each given up after it has been waited for and after it has been cancelled.
    for _ in 0..<8 {
      await clock.waitForSleepers(1)
      clock.advance(by: .seconds(1))
    }
    #expect(try await report.violated == [.noChallenge])
    transport.hold.open()
  }

  @Test("A check whose task is cancelled ends, in whatever exchange, and leaves nothing behind")
  func cancelled() throws {
    // The statuses are many cases of one kind.
    let rules = Set(Rule.allCases).subtracting([.statuses, .redirectBody])
    for last in stride(from: 97, through: 0, by: -3) {
      try simulate(seeds: last..<last + 1, schedules: [.uniform]) {
        let farEnd = TransportConformance.FarEnd()
        let left = Shared(last)
        let check = Shared<Task<TransportConformance.Report, any Error>?>(nil)
        let transport = ScriptedTransport([
          .computed { request in
            let isLast = left.value.withLock { left in
              left -= 1
              return left == -1
            }
            if isLast {
              for _ in 0..<Ambient.random.next() % 4 { await Task.yield() }
              check.value.withLock { $0 }?.cancel()
              for _ in 0..<Ambient.random.next() % 4 { await Task.yield() }
            }
            return await Self.step(farEnd.answer(TransportConformance.Arrival(request)))
          }
        ])
        let task = Ambient.task { try await Self.check(transport, farEnd, rules: rules) }
        check.value.withLock { $0 = task }
        await #expect(throws: CancellationError.self) { try await task.value }
        try await Ambient.sleep(for: .milliseconds(1))
        #expect(transport.inFlight == 0 && transport.requests.count > last)
      }
    }
  }

  @Test("A request that is no part of a check is answered 404")
  func strangers() async {
    let farEnd = TransportConformance.FarEnd()
    for target in [
      "/", "/stoic-conformance/", "/stoic-conformance/x", "/stoic-conformance/99999999999999999999",
    ] {
      let arrival = TransportConformance.Arrival(method: "GET", target: target, headers: [:], body: [])
      guard case .response(let response) = await farEnd.answer(arrival) else {
        Issue.record("dropped")
        continue
      }
      #expect(response.status == 404)
    }
  }

  @Test("Times that make no sense are brought into ones that do")
  func hostile() throws {
    try simulate(seeds: 0..<3) {
      let farEnd = TransportConformance.FarEnd()
      for (timeout, patience) in [
        (Duration.zero, Duration.zero), (.seconds(-1), .seconds(Int64.min)),
        (.seconds(Int64.max), .seconds(Int64.max)),
      ] {
        let report = try await TransportConformance.check(
          MemoryTransport(farEnd: farEnd), at: Self.base, farEnd: farEnd, rules: [.timeout, .cancellation],
          timeout: timeout > .seconds(1) ? .seconds(1) : timeout, patience: patience)
        try report.verify()
      }
    }
  }
}

/// A door that is opened once; who waits for it cannot be called away.
private final class Latch: Sendable {
  private let waiting = Lock<(isOpen: Bool, all: [CheckedContinuation<Void, Never>])>((false, []))

  func wait() async {
    await withCheckedContinuation { continuation in
      let isOpen = waiting.withLock { waiting in
        if !waiting.isOpen { waiting.all.append(continuation) }
        return waiting.isOpen
      }
      if isOpen { continuation.resume() }
    }
  }

  func open() {
    let all = waiting.withLock { waiting in
      defer { waiting = (true, []) }
      return waiting.all
    }
    for continuation in all { continuation.resume() }
  }
}
