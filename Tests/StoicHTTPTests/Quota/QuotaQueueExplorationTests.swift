import Stoic
import StoicHTTP
import Testing

@Suite("The queue for a quota, explored", .timeLimit(.minutes(30)))
struct QuotaQueueExplorationTests {
  private struct Member: Hashable {
    var ticket: UInt64
    var name: Int
    /// The last instant at which its turn is of use.
    var last: Int
  }

  private struct Scope: Explorable, Hashable {
    enum Event: Hashable {
      /// `late` is how long before the latest instant the caller has read the clock.
      case enter(remaining: Int?, late: Int)
      case takeAtOnce, settle, start, giveBack
      case report(Int)
      case withdraw(UInt64), claim(UInt64)
      case wait(Int)
    }

    let reports: [[QuotaModel.Entry]]
    var queue: QuotaQueue<Int>
    var model: QuotaModel
    var now = 0
    /// The latest instant that the queue knows of.
    var seen = 0
    /// All who ever waited.
    var tickets: [UInt64] = []
    var waiting: [Member] = []
    var handed: [UInt64] = []
    /// How many have a request and know it.
    var begun = 0
    var sent: QuotaState.Ticket?
    var reviewed: Int?

    init(_ numbers: QuotaExplorationTests.Case) {
      reports = numbers.reports
      queue = QuotaQueue(maxWait: .nanoseconds(numbers.maxWait))
      model = QuotaModel(maxWait: numbers.maxWait)
      // A request has been sent, and its response uses up what there is.
      for event in [Event.enter(remaining: nil, late: 0), .start, .report(0)] { _ = apply(event) }
    }

    var mark: Scope { self }

    var events: [Event] {
      let own: [Event] = begun > 0 ? [.start, .giveBack] : []
      let reports = sent == nil ? [] : self.reports.indices.map { Event.report($0) }
      let late: [Event] = now > 0 ? [.enter(remaining: nil, late: 1)] : []
      let waits = Set(model.quotas.values.flatMap { [$0.reset, $0.end] }).filter { $0 > now }.map(Event.wait)
      return [.enter(remaining: nil, late: 0), .enter(remaining: 3, late: 0), .takeAtOnce, .settle] + late
        + own
        + reports + waits + tickets.flatMap { [.withdraw($0), .claim($0)] }
    }

    /// Who is let through or sent away now.
    private mutating func settle() -> [Int] {
      seen = max(seen, now)
      return turns()
    }

    private mutating func turns() -> [Int] {
      var woken: [Int] = []
      while let first = waiting.first, model.admit(at: seen) == nil {
        waiting.removeFirst()
        handed.append(first.ticket)
        woken.append(first.name)
      }
      guard !waiting.isEmpty, let next = model.usedUpUntil else {
        reviewed = nil
        return woken
      }
      guard next > reviewed ?? 0 else { return woken }
      reviewed = next
      var kept: [Member] = []
      for member in waiting {
        if model.turn(after: kept.count, from: seen) <= member.last {
          kept.append(member)
        } else {
          woken.append(member.name)
        }
      }
      waiting = kept
      return woken
    }

    mutating func apply(_ event: Event) -> String? {
      let instant = Duration.nanoseconds(now)
      var woken: [Int] = []
      switch event {
      case .enter(let remaining, let late): return enter(remaining, late)
      case .takeAtOnce:
        seen = max(seen, now)
        let isTaken = waiting.isEmpty && model.admit(at: seen) == nil
        if isTaken { begun += 1 }
        let wait = isTaken ? nil : Duration.nanoseconds(model.turn(after: waiting.count, from: seen) - seen)
        return difference("the wait of who takes at once", queue.takeAtOnce(at: instant), wait)
      case .settle: queue.settle(at: instant, &woken)
      case .start:
        begun -= 1
        sent = queue.start()
        model.start()
        return nil
      case .giveBack:
        begun -= 1
        queue.giveBack(at: instant, &woken)
        model.giveBack()
      case .report(let report):
        guard let sent else { return nil }
        queue.report(reports[report].map(\.told), of: sent, at: instant, &woken)
        seen = max(seen, now)
        model.report(reports[report], to: model.sent.count - 1, at: seen)
      case .withdraw(let ticket):
        queue.withdraw(ticket)
        waiting.removeAll { $0.ticket == ticket }
        return nil
      case .claim(let ticket):
        let isHanded = handed.contains(ticket)
        if isHanded { begun += 1 }
        handed.removeAll { $0 == ticket }
        return difference("the claim", queue.claim(ticket), isHanded)
      case .wait(let instant):
        now = instant
        return nil
      }
      return difference("who is woken", woken, settle())
    }

    private mutating func enter(_ remaining: Int?, _ late: Int) -> String? {
      let name = 100 + tickets.count
      var woken: [Int] = []
      let entry = queue.enter(
        at: .nanoseconds(now - late), within: remaining.map { .nanoseconds($0) }, name, &woken)
      seen = max(seen, now - late)
      if let fault = difference("who is woken", woken, turns()) { return fault }
      let isFree = waiting.isEmpty && model.admit(at: seen) == nil
      let wait = isFree ? 0 : model.turn(after: waiting.count, from: seen) - seen
      let isTooLong = wait > model.maxWait || wait >= remaining ?? .max
      switch entry {
      case .granted:
        begun += 1
        return broken("a request is granted that is free, to who waits for nobody", unless: isFree)
      case .refused(let time):
        return difference("the time until another try", time, .nanoseconds(wait))
          ?? broken("who is refused would come too late", unless: !isFree && isTooLong)
      case .queued(let ticket, let waiter, let time):
        let isNew = !tickets.contains(ticket)
        tickets.append(ticket)
        waiting.append(
          Member(ticket: ticket, name: name, last: seen + min(model.maxWait, (remaining ?? .max) - 1)))
        return difference("the wait", time, .nanoseconds(wait))
          ?? broken("who waits is in time", unless: !isFree && !isTooLong)
          ?? broken("a ticket is never used twice", unless: isNew && waiter == name)
      }
    }

    func checkInvariants() -> String? {
      // Every request that is let through is somebody's: none is lost, none is two callers'.
      difference("what is reserved", begun + handed.count, model.reserved)
        ?? difference("the number waiting", queue.waiting, waiting.count)
        ?? difference(
          "the next turn", queue.nextTurn,
          waiting.isEmpty ? nil : .nanoseconds(model.usedUpUntil ?? seen))
    }
  }

  @Test(
    "Every sequence of eight events lets through who came first, loses no request, and refuses who would come too late",
    arguments: QuotaExplorationTests.cases)
  func queue(numbers: QuotaExplorationTests.Case) {
    let result = Exploration(of: Scope(numbers), depth: 8)
    #expect(result.fault == nil)
    #expect(result.steps > 20_000)
  }
}
