import Stoic
import StoicTesting
import Testing

@Suite("Bulkhead")
struct BulkheadTests {
  @Test("BH-01: At most so many run at once, and all get their turn, first come first served")
  func limit() throws {
    try simulate(seeds: 0..<100) {
      let bulkhead = Bulkhead(maxConcurrent: 8)
      let inside = Occupancy()
      let start = milliseconds
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<20 {
          group.addTask {
            #expect(
              await word { try await bulkhead.run { try await inside.stay(for: .seconds(1)) } } == "value")
          }
        }
      }
      #expect(inside.most == 8 && inside.total == 20)
      #expect(milliseconds - start == 3_000)
      #expect(bulkhead.inUse == 0 && bulkhead.waiting == 0)
    }
  }

  @Test("Those who wait are served in the order in which they came, and nobody overtakes them")
  func order() throws {
    try simulate(seeds: 0..<100) {
      let bulkhead = Bulkhead(maxConcurrent: 1)
      let served = Served()
      var calls: [Task<Void, any Error>] = []
      for number in 0..<6 {
        calls.append(
          Ambient.task {
            try await bulkhead.run {
              served.add(number)
              try await Ambient.sleep(for: .seconds(1))
            }
          })
        try await Ambient.sleep(for: .milliseconds(10))
      }
      for call in calls { _ = await call.result }
      #expect(served.all == Array(0..<6))
    }
  }

  @Test("BH-03: Past the queue a call is refused at once, and told once")
  func overflow() throws {
    try simulate(seeds: 0..<20) {
      let bulkhead = Bulkhead(maxConcurrent: 8, queueLimit: 64)
      let events = EventRecorder()
      let calls = (0..<72).map { _ in
        Ambient.task { try await bulkhead.run { try await Ambient.sleep(for: .seconds(1)) } }
      }
      try await settle()
      #expect(bulkhead.inUse == 8 && bulkhead.waiting == 64)
      let before = milliseconds
      try await withEvents(events) {
        #expect(await word { try await bulkhead.run {} } == "bulkhead_full")
      }
      #expect(milliseconds == before)
      #expect(events.events.map(\.name) == ["bulkhead.rejected"])
      for call in calls { try await call.value }
    }
  }

  @Test("BH-04: A permit comes back once, however a body ends")
  func endings() throws {
    try simulate(seeds: 0..<1_000) {
      let bulkhead = Bulkhead(maxConcurrent: 8)
      let inside = Occupancy()
      await withTaskGroup(of: Void.self) { group in
        for index in 0..<24 {
          group.addTask {
            let call = Ambient.task {
              try await withDeadline(.milliseconds(700)) {
                try await bulkhead.run {
                  try await inside.stay(for: .milliseconds(Int64(Ambient.random.next() % 500)))
                  if index % 3 == 0 { throw Fault() }
                }
              }
            }
            if index % 4 == 0 {
              _ = await word {
                try await Ambient.sleep(for: .milliseconds(Int64(Ambient.random.next() % 400)))
              }
              call.cancel()
            }
            _ = await call.result
          }
        }
      }
      #expect(inside.most <= 8)
      #expect(bulkhead.inUse == 0 && bulkhead.waiting == 0)
    }
  }

  @Test("DL-06: A queued caller leaves at its deadline and takes its place in the queue with it")
  func deadline() throws {
    try simulate(seeds: 0..<50) {
      let bulkhead = Bulkhead(maxConcurrent: 8, queueLimit: 1)
      let calls = (0..<8).map { _ in
        Ambient.task { try await bulkhead.run { try await Ambient.sleep(for: .seconds(5)) } }
      }
      try await settle()
      let start = milliseconds
      let late = await word { try await withDeadline(.seconds(2)) { try await bulkhead.run {} } }
      #expect(late == "deadline_exceeded")
      #expect(milliseconds - start == 2_000)
      #expect(bulkhead.waiting == 0)
      for call in calls { try await call.value }
      #expect(bulkhead.inUse == 0)
    }
  }

  @Test("DL-06: A deadline that is only known as an instant ends a wait as well")
  func deadlineAsData() throws {
    try simulate(seeds: 0..<20) {
      let bulkhead = Bulkhead(maxConcurrent: 1)
      let holder = Ambient.task { try await bulkhead.run { try await Ambient.sleep(for: .seconds(9)) } }
      try await settle()
      let start = milliseconds
      let deadline = Ambient.clock.now.advanced(by: .seconds(2))
      let end = await word { try await bulkhead.acquire(until: deadline, in: Ambient.values) }
      #expect(end == "deadline_exceeded" && milliseconds - start == 2_000 && bulkhead.waiting == 0)
      _ = await holder.result
    }
  }

  @Test("CX-10: A cancel between joining the queue and waiting in it ends the call")
  func cancelBeforeWaiting() throws {
    try simulate(seeds: 0..<20) {
      let bulkhead = Bulkhead(maxConcurrent: 1)
      let holder = Ambient.task { try await bulkhead.run { try await Ambient.sleep(for: .seconds(9)) } }
      try await settle()
      let sink = ClosureSink { event in
        if event.name == "bulkhead.queued" { withUnsafeCurrentTask { $0?.cancel() } }
      }
      let call = Ambient.task { try await withEvents(sink) { try await bulkhead.run {} } }
      #expect(await call.result.isCancellation)
      #expect(bulkhead.waiting == 0)
      _ = await holder.result
    }
  }

  @Test("A caller waits no longer than the queue's timeout")
  func queueTimeout() throws {
    try simulate(seeds: 0..<50) {
      let bulkhead = Bulkhead(maxConcurrent: 1, queueTimeout: .seconds(2))
      let holder = Ambient.task { try await bulkhead.run { try await Ambient.sleep(for: .seconds(9)) } }
      try await settle()
      let start = milliseconds
      #expect(await word { try await bulkhead.run {} } == "bulkhead_full")
      #expect(milliseconds - start == 2_000)
      try await holder.value
      #expect(await word { try await bulkhead.run {} } == "value")
    }
  }

  @Test("CX-04: A permit that meets a caller on the way out goes to the next")
  func handOver() throws {
    try simulate(seeds: 0..<1_000, earlyTimers: true) {
      let bulkhead = Bulkhead(maxConcurrent: 1)
      let reached = Calls()
      let holder = Ambient.task { try await bulkhead.run { try await Ambient.sleep(for: .seconds(1)) } }
      try await settle()
      let leaving = Ambient.task { try await bulkhead.run { reached.add() } }
      try await settle()
      let next = Ambient.task { try await bulkhead.run {} }
      try await Ambient.sleep(for: .milliseconds(999))
      leaving.cancel()
      let end = await leaving.result
      if case .failure(let error) = end {
        #expect(error is CancellationError)
        #expect(reached.count == 0)
      }
      try await holder.value
      try await next.value
      #expect(bulkhead.inUse == 0 && bulkhead.waiting == 0)
    }
  }

  @Test("CX-05: Cancellations under contention never cost a permit")
  func churn() throws {
    try simulate(seeds: 0..<20) {
      let bulkhead = Bulkhead(maxConcurrent: 8)
      for _ in 0..<50 {
        let calls = (0..<16).map { _ in
          Ambient.task { try await bulkhead.run { try await Ambient.sleep(for: .milliseconds(10)) } }
        }
        try await Ambient.sleep(for: .milliseconds(Int64(Ambient.random.next() % 12)))
        for call in calls where Ambient.random.next() % 2 == 0 { call.cancel() }
        for call in calls { _ = await call.result }
      }
      let inside = Occupancy()
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<8 {
          group.addTask {
            _ = await word { try await bulkhead.run { try await inside.stay(for: .seconds(1)) } }
          }
        }
      }
      #expect(inside.most == 8)
    }
  }

  @Test("CX-10: On real threads, queued calls that are cancelled at once all return")
  func realThreads() async {
    let bulkhead = Bulkhead(maxConcurrent: 1)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          for _ in 0..<500 {
            let call = Task { try await bulkhead.run { await Task.yield() } }
            call.cancel()
            _ = await call.result
          }
        }
      }
    }
    #expect(bulkhead.inUse == 0 && bulkhead.waiting == 0)
  }

  @Test("A caller who is cancelled already takes no permit")
  func cancelledBefore() async {
    let bulkhead = Bulkhead(maxConcurrent: 1)
    let call = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await bulkhead.run { _ = Issue.record("the body ran") }
    }
    await #expect(throws: CancellationError.self) { try await call.value }
    #expect(bulkhead.inUse == 0)
  }

  @Test("CF-05: Any numbers give a bulkhead in which a call runs", arguments: [Int.min, -1, 0, 1, .max])
  func hostile(number: Int) throws {
    try simulate(seeds: 0..<2) {
      for timeout in hostileDurations {
        let bulkhead = Bulkhead(maxConcurrent: number, queueLimit: number, queueTimeout: timeout)
        #expect(bulkhead.maxConcurrent >= 1 && bulkhead.queueLimit >= 0)
        #expect(await word { try await bulkhead.run {} } == "value")
        #expect(bulkhead.inUse == 0)
        let narrow = Bulkhead(maxConcurrent: 1, queueLimit: number)
        let end = try await narrow.run {
          let second = Ambient.task { await word { try await narrow.run {} } }
          try await settle()
          #expect(narrow.waiting == (number > 0 ? 1 : 0))
          return second
        }
        #expect(try await end.value == (number > 0 ? "value" : "bulkhead_full"))
      }
    }
  }
}

/// Who was served, in order.
final class Served: Sendable {
  private let state = Lock<[Int]>([])

  var all: [Int] { state.withLock { $0 } }

  func add(_ number: Int) { state.withLock { $0.append(number) } }
}
