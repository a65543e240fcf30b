import Stoic
import Testing

@Suite("Bulkhead, explored")
struct BulkheadExplorationTests {
  // Both are Hashable, so a pair that was met is not continued again.
  private struct Scope: Explorable, Hashable {
    enum Event: Hashable {
      case enter, enterPatiently, enterAtOnce, leave, withdraw(UInt64), losePatience(UInt64), claim(UInt64)
    }

    struct Waiter: Hashable {
      var ticket: UInt64
      var name: Int
    }

    let limit: Int
    let queueLimit: Int
    /// Whether some wait behind a full queue.
    let isPatient: Bool
    var state: BulkheadState<Int>

    /// How many hold a permit and know it.
    var holders = 0
    /// Who waits, first come first.
    var waiting: [Waiter] = []
    /// Who was handed a permit and has not taken it.
    var handed: [UInt64] = []
    /// All who ever waited.
    var tickets: [UInt64] = []

    init(limit: Int, queueLimit: Int, isPatient: Bool) {
      self.isPatient = isPatient
      self.limit = limit
      self.queueLimit = queueLimit
      state = BulkheadState(limit: limit, queueLimit: queueLimit)
    }

    var events: [Event] {
      // Only who holds a permit gives one back.
      [.enter, .enterAtOnce] + (holders > 0 ? [.leave] : [])
        + tickets.flatMap { [.withdraw($0), .claim($0)] }
        + (isPatient ? [.enterPatiently] + tickets.map { .losePatience($0) } : [])
    }

    var mark: Scope { self }

    mutating func apply(_ event: Event) -> String? {
      switch event {
      case .enter: return enter(isPatient: false)
      case .enterPatiently: return enter(isPatient: true)
      case .losePatience(let ticket):
        let place = waiting.firstIndex { $0.ticket == ticket } ?? .max
        waiting.removeAll { $0.ticket == ticket && place >= queueLimit }
        return difference("whether it goes on", state.losePatience(ticket), place < queueLimit)
      case .enterAtOnce:
        let isFree = holders + handed.count < limit
        if isFree { holders += 1 }
        return difference("whether a free permit is taken", state.enterAtOnce(), isFree)
      case .leave:
        holders -= 1
        let woken = waiting.isEmpty ? nil : waiting.removeFirst()
        if let woken { handed.append(woken.ticket) }
        return difference("who is woken", state.leave(), woken?.name)
      case .withdraw(let ticket):
        state.withdraw(ticket)
        waiting.removeAll { $0.ticket == ticket }
        return nil
      case .claim(let ticket):
        let isHanded = handed.contains(ticket)
        if isHanded { holders += 1 }
        handed.removeAll { $0 == ticket }
        return difference("the claim", state.claim(ticket), isHanded)
      }
    }

    private mutating func enter(isPatient: Bool) -> String? {
      let name = 100 + tickets.count
      var isMade = false
      func make() -> Int {
        isMade = true
        return name
      }
      let entry = state.enter(make(), isPatient: isPatient)
      let isFree = holders + handed.count < limit
      let isFull = waiting.count >= queueLimit
      switch entry {
      case .granted:
        holders += 1
        return broken("only a free permit is granted, and without a waiter", unless: isFree && !isMade)
      case .full:
        return broken(
          "only a full queue refuses, and without a waiter",
          unless: !isFree && isFull && !isPatient && !isMade)
      case .queued(let ticket, let waiter), .crowded(let ticket, let waiter):
        let isCrowded = if case .crowded = entry { true } else { false }
        let isNew = !tickets.contains(ticket)
        waiting.append(Waiter(ticket: ticket, name: name))
        tickets.append(ticket)
        let isRight = !isFree && isFull == isCrowded && (!isFull || isPatient) && isMade && isNew
        return broken("only who finds no permit and a place waits", unless: isRight)
          ?? difference("who waits", waiter, name)
      }
    }

    func checkInvariants() -> String? {
      difference("the permits in use", state.inUse, holders + handed.count)
        ?? difference("the number waiting", state.waiting, waiting.count)
        ?? broken("permits are bounded", unless: (0...limit).contains(state.inUse))
        ?? broken("the queue is bounded", unless: state.waiting <= queueLimit || isPatient)
        ?? broken("nobody waits while a permit is free", unless: state.waiting == 0 || state.inUse == limit)
    }
  }

  @Test(
    "Every sequence of twelve events keeps a bulkhead's invariants and agrees with a list of holders",
    arguments: [(1, 2, 1_300), (2, 1, 800), (2, 2, 1_500), (1, 1, 500), (2, 0, 4)])
  func exploration(limit: Int, queueLimit: Int, floor: Int) {
    let scope = Scope(limit: limit, queueLimit: queueLimit, isPatient: false)
    let result = Exploration(of: scope, depth: 12)
    #expect(result.fault == nil)
    #expect(result.steps > floor)
  }

  @Test(
    "Every sequence of ten events with some who wait behind a full queue agrees with a list of holders",
    arguments: [(1, 1), (1, 0), (2, 1)])
  func patience(limit: Int, queueLimit: Int) {
    let scope = Scope(limit: limit, queueLimit: queueLimit, isPatient: true)
    let result = Exploration(of: scope, depth: 10)
    #expect(result.fault == nil)
    #expect(result.steps > 1_000)
  }
}
