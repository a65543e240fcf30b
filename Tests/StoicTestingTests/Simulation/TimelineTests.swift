import Foundation
#if canImport(FoundationXML)
import FoundationXML
#endif
import Stoic
import StoicTesting
import Testing

@Suite("Timelines")
struct TimelineTests {
  private static func failure(_ body: @escaping @Sendable () async throws -> Void) -> SimulationFailure? {
    VerdictTests.failure(seeds: 0..<1_000, body)
  }

  @Test("A run's timeline tells who took what, who waited for it, and when")
  func bulkhead() {
    let timeline = SimulationTimeline(schedule: .replay([])) {
      let bulkhead = Bulkhead(maxConcurrent: 1, label: "db")
      await withTaskGroup(of: Void.self) { group in
        for name in ["first", "second"] {
          group.addTask(name: name) {
            try? await bulkhead.run { try await Ambient.sleep(for: .seconds(1)) }
          }
        }
      }
    }
    #expect(
      timeline.text == """
          time, 3 tasks, the oldest first (● runs, ○ can run, │ waits or has not ended, → starts or wakes), what was done ([…] an event):
          0s  ●○○  body: makes runnable: first, second
              │●│  first: takes a permit of db (1 of 1); sets timer 1, due at 1s
              ││●  second: [bulkhead.queued db waiting=1]; waits for a permit of db (1 of 64 places)
          1s  ○●○  first: timer 1 fires; gives back the permit of db; makes runnable: second, body
              │ ●  second: waits no more for a permit of db; takes a permit of db (1 of 1); sets timer 2, due at 2s
              ● │  body: runs
          2s  ○ ●  second: timer 2 fires; gives back the permit of db; makes runnable: body
              ●    body: runs
        """)
  }

  @Test(
    "The margin tells the state of a breaker and the attempt that a row is part of, whatever the body's sink")
  func margin() {
    let timeline = SimulationTimeline(schedule: .replay([])) {
      struct Down: Error {}
      let breaker = CircuitBreaker(
        CircuitBreaker.Configuration(minimumCalls: 1, openFor: .seconds(1), openJitter: 0), label: "db")
      try await withEvents(EventRecorder()) {
        try await retry(RetrySchedule(maxAttempts: 2, base: .seconds(2), cap: .seconds(2), jitter: .none)) {
          attempt in
          try await breaker.run { if attempt.number == 1 { throw Down() } }
        }
      }
    }
    #expect(
      timeline.text == """
          time, breaker db (C closed, O open, H half open), attempt (#), 1 task, the oldest first (● runs, ○ can run, │ waits or has not ended, → starts or wakes), what was done ([…] an event):
          0s  O #1  ●  body: [breaker.opened db cause=failure_ratio open_for=1s calls=1 failures=1]; [retry.scheduled retry attempt=2 delay=2s reason=Down];
                         sets timer 1, due at 2s
          2s  C #2  ●  body: timer 1 fires; [breaker.half_open db]; takes a probe of db; [breaker.closed db]; gives back the probe of db
        """)
  }

  @Test("The timeline of a shrunk failure has at most forty lines, names the tasks and ends with the failure")
  func shrunk() throws {
    let failure = try #require(
      Self.failure {
        let number = Shared(0)
        await withTaskGroup(of: Void.self) { group in
          for index in 0..<9 {
            group.addTask(name: "adder \(index)") {
              for _ in 0..<5 { await Task.yield() }
              let before = number.withLock { $0 }
              await Task.yield()
              number.withLock { $0 = before + 1 }
            }
          }
        }
        if number.withLock({ $0 }) != 9 { throw Bugs.Found() }
      })
    let lines = failure.timeline.split(separator: "\n")
    #expect(lines.count <= 40)
    #expect(lines.filter { $0.contains("which could go on") }.count == failure.size.preemptions)
    #expect(lines.last == "  ✘ bodyFailed: Found()")
    #expect(failure.timeline.contains("adder 1"))
    #expect(failure.description.contains(failure.timeline))
  }

  @Test("Who is cancelled is named, who waits for ever keeps a lane, and the end says what they wait for")
  func stuck() {
    let timeline = SimulationTimeline(schedule: .replay([])) {
      let bulkhead = Bulkhead(maxConcurrent: 1, label: "db")
      let victim = Ambient.task(name: "victim") {
        try await bulkhead.run { try await Ambient.sleep(for: .seconds(1)) }
      }
      _ = Ambient.task(name: "stuck") { try await Ambient.suspend() }
      try await Ambient.sleep(for: .milliseconds(1))
      victim.cancel()
      _ = await victim.result
      try await Ambient.suspend()
    }
    #expect(
      timeline.text == """
          time, 3 tasks, the oldest first (● runs, ○ can run, │ waits or has not ended, → starts or wakes), what was done ([…] an event):
              0s  ●○○  body: sets timer 1, due at 0.001s; makes runnable: victim, stuck
                  │●│  victim: takes a permit of db (1 of 1); sets timer 2, due at 1s
                  ││●  stuck: waits for cancellation
          0.001s  ●○│  body: timer 1 fires; makes runnable: victim
                  ○●│  victim: is cancelled; gives back the permit of db; makes runnable: body
                  ● │  body: waits for cancellation
          ✘ deadlock: nothing can run, no timer is set, and the body has not ended; waiting: wait for cancellation, by the task "stuck";
            wait for cancellation, by the task "body"
        """)
  }

  @Test("Tasks that only run and wake each other are told in one line")
  func folded() {
    let timeline = SimulationTimeline(schedule: .replay([])) {
      await withTaskGroup(of: Void.self) { group in
        for name in ["a", "b"] { group.addTask(name: name) { await Task.yield() } }
      }
    }
    #expect(
      timeline.text == """
          time, 3 tasks, the oldest first (● runs, ○ can run, │ waits or has not ended, → starts or wakes), what was done ([…] an event):
          0s  ●●●  run: body → a, b; a → body; b; body
        """)
  }

  @Test("A long run's timeline shows its beginning and its end in forty lines")
  func long() {
    let timeline = SimulationTimeline {
      for _ in 0..<200 { try await Ambient.sleep(for: .seconds(1)) }
    }
    let lines = timeline.text.split(separator: "\n")
    #expect(lines.count == 40)
    #expect(lines.contains { $0.contains("rows left out") })
    #expect(lines[2].contains("body: timer 1 fires; sets timer 2, due at 2s"))
    #expect(lines.last?.contains("200 s") == false)
  }

  @Test("Early timers, marks, events and drawn numbers are told, private values are not")
  func details() {
    let timeline = SimulationTimeline(schedule: .replay([5])) {
      mark("place")
      _ = Ambient.random.next()
      Ambient.record(
        "an.event", .debug, label: "l",
        [Event.Field("open", "1"), Event.Field("secret", "hidden", isPrivate: true)])
    }
    #expect(timeline.text.contains("body: reaches \"place\"; draws 5; [an.event l open=1]"))
    #expect(!timeline.text.contains("hidden") && !timeline.svg.contains("hidden"))
  }

  @Test("The picture is well-formed XML with a lane for each task, whatever their names")
  func picture() throws {
    let timeline = SimulationTimeline {
      await withTaskGroup(of: Void.self) { group in
        for name in ["<a & b>", "\u{1}\"c\""] { group.addTask(name: name) { await Task.yield() } }
      }
    }
    let parser = XMLParser(data: Data(timeline.svg.utf8))
    #expect(parser.parse())
    #expect(timeline.svg.contains("&lt;a &amp; b&gt;"))
  }

  @Test(
    "Whatever names, labels, marks and errors hold, no row of the text breaks, and no control character is left"
  )
  func hostileNames() throws {
    struct Broken: Error, CustomStringConvertible {
      let description = "first\nsecond\u{1B}[2J\r\u{2028}third\u{0}\u{85}"
    }
    let hostile = Broken().description
    let failure = try #require(
      Self.failure {
        let (bulkhead, breaker) = (Bulkhead(maxConcurrent: 1, label: hostile), CircuitBreaker(label: hostile))
        await withTaskGroup(of: Void.self) { group in
          for _ in 0..<3 {
            group.addTask(name: hostile) {
              mark(hostile)
              breaker.force(.open)
              try? await bulkhead.run { try await Ambient.sleep(for: .seconds(1)) }
            }
          }
        }
        throw Broken()
      })
    let lines = failure.timeline.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count > 5 && lines.count <= 40)
    #expect(lines.dropFirst().dropLast().allSatisfy { $0.contains(/^  [ \d]/) || $0.hasPrefix("    ") })
    let breaks: Set<Unicode.GeneralCategory> = [.control, .lineSeparator, .paragraphSeparator]
    let scalars = lines.joined().unicodeScalars
    #expect(!scalars.contains { breaks.contains($0.properties.generalCategory) })
    #expect(failure.timeline.hasSuffix("✘ bodyFailed: first; second [2J; third "))
  }

  @Test("A deadlock of many is told in forty lines, too")
  func crowdedDeadlock() throws {
    let failure = try #require(
      Self.failure {
        let bulkhead = Bulkhead(maxConcurrent: 1, label: "seats")
        try await bulkhead.run {
          await withTaskGroup(of: Void.self) { group in
            for _ in 0..<60 { group.addTask { try? await bulkhead.run {} } }
          }
        }
      })
    #expect(failure.reason == .deadlock)
    #expect(failure.timeline.split(separator: "\n").count <= 40)
    #expect(
      failure.timeline.contains(
        "✘ deadlock: nothing can run, no timer is set, and the body has not ended; waiting: "))
  }

  @Test("A run that cannot be repeated has no timeline")
  func none() {
    let failure = VerdictTests.failure { DispatchSemaphore(value: 0).waitHere() }
    #expect(failure?.timeline.isEmpty == true && failure?.timelineSVG.isEmpty == true)
  }
}

extension DispatchSemaphore {
  /// `wait` is not to be called from asynchronous code, which is what this test is about.
  fileprivate func waitHere() { wait() }
}
