import Foundation
import StoicHTTP
import Synchronization

/// One storm: requests that are waited for, then requests that are taken back.
struct Run {
  let plan: Plan
  let make: @Sendable () throws -> any HTTPTransport

  /// What may be left over besides the platform's leak for each request: pools, arenas, threads of dispatch.
  private static let slack = (memory: 16 << 20, threads: 16, descriptors: 8)
  /// In bytes, twice what the platform was measured to keep of each call.
  private static let leak = 300

  func run() async throws {
    let server = try ServerProcess()
    defer { server.stop() }
    var report = Report()
    print(Report.heading)
    let before = report.note("start", done: 0)
    let watch = Watch()
    watch.start()
    let after = try await withTransport(server.base, watch, &report)
    // The platform closes its connections when it comes to it.
    for _ in 0..<100 where Figures.now().descriptors > before.descriptors + Self.slack.descriptors {
      try await Task.sleep(for: .milliseconds(100))
    }
    let end = report.note("transport let go", done: plan.requests + plan.cancellations)
    let count = plan.requests + plan.cancellations
    let allowed = Self.slack.memory + count * Self.leak
    guard end.memory - after.warm.memory <= allowed else {
      throw Failure("memory grew by more than \(allowed) bytes")
    }
    guard end.threads <= after.warm.threads + Self.slack.threads else { throw Failure("threads are left") }
    guard end.descriptors <= before.descriptors + Self.slack.descriptors else {
      throw Failure("descriptors are left")
    }
    let perCall = Double(after.end.memory - after.warm.memory) / Double(max(1, count - plan.requests / 10))
    print(String(format: "growth of RSS since the first tenth: %.2f kB a call", perCall / 1024))
  }

  /// The transport is let go when this returns.
  private func withTransport(_ base: URL, _ watch: Watch, _ report: inout Report) async throws -> (
    warm: Figures, end: Figures
  ) {
    let transport = try make()
    let tenth = plan.requests / 10
    var done = 0
    var warm = Figures.now()
    for step in 0..<10 {
      let count = step == 9 ? plan.requests - 9 * tenth : tenth
      try await calls(count, from: done) { number in
        try await Wish.well(number, plan.seed).send(base, on: transport)
        watch.tick()
      }
      done += count
      if [0, 4, 9].contains(step) {
        let figures = report.note("requests", done: done)
        if step == 0 { warm = figures }
      }
    }
    for step in 0..<4 {
      let count = plan.cancellations / 4
      try await calls(count, from: step * count) { number in
        try await Wish.any(number, plan.seed).sendAndLeave(base, on: transport)
        watch.tick()
      }
      done += count
      _ = report.note("cancellations", done: done)
    }
    return (warm, Figures.now())
  }

  /// Makes numbered calls, as many at once as there are callers.
  private func calls(
    _ count: Int, from first: Int, _ body: @escaping @Sendable (Int) async throws -> Void
  ) async throws {
    let next = Counter(first)
    let callers = plan.callers
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<callers {
        group.addTask {
          while true {
            let number = next.increment()
            guard number < first + count else { return }
            try await body(number)
          }
        }
      }
      try await group.waitForAll()
    }
  }
}

/// Ends the process when nothing has moved for a minute: a hang has nobody else to report it.
final class Watch: Sendable {
  private let ticks = Counter(0)

  func tick() { ticks.increment() }

  func start() {
    let thread = Thread { [self] in
      var seen = -1
      while true {
        let now = ticks.value
        if now == seen { Storm.fail("storm: nothing moved for a minute, after \(now) calls") }
        seen = now
        Thread.sleep(forTimeInterval: 60)
      }
    }
    thread.start()
  }
}

/// A number that many count up.
final class Counter: Sendable {
  private let number: Atomic<Int>

  init(_ start: Int) { number = Atomic(start) }

  var value: Int { number.load(ordering: .relaxed) }

  /// Counts one more; returns what it was before.
  @discardableResult
  func increment() -> Int { number.wrappingAdd(1, ordering: .relaxed).oldValue }
}
