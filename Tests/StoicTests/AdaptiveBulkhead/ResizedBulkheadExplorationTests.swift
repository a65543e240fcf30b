import Stoic
import Testing

@Suite("Bulkhead with a changing limit, explored")
struct ResizedBulkheadExplorationTests {
  private struct Scope: Explorable, Hashable {
    enum Event: Hashable { case enter, leave, withdraw(UInt64), claim(UInt64), resize(Int, number: Int) }

    var state = BulkheadState<UInt64>(limit: 2, queueLimit: 2)
    var limit = 2
    var decision = 0
    var holders = 0
    var waiting: [UInt64] = []
    var handed: [UInt64] = []
    var tickets: UInt64 = 0

    var events: [Event] {
      [.enter] + (holders > 0 ? [.leave] : []) + (0..<tickets).flatMap { [.withdraw($0), .claim($0)] }
        + [1, 2, 4].flatMap { [.resize($0, number: decision + 1), .resize($0, number: decision)] }
    }

    var mark: Scope { self }

    private var used: Int { holders + handed.count }

    /// Hands permits to those who wait, as long as there are any; who is woken.
    private mutating func handOver() -> [UInt64] {
      var woken: [UInt64] = []
      while used < limit, !waiting.isEmpty {
        let next = waiting.removeFirst()
        handed.append(next)
        woken.append(next)
      }
      return woken
    }

    mutating func apply(_ event: Event) -> String? {
      switch event {
      case .enter:
        let name = tickets
        switch state.enter(name) {
        case .granted:
          holders += 1
          return broken("only a free permit is granted", unless: used <= limit)
        case .full: return broken("only a full queue refuses", unless: used >= limit && waiting.count == 2)
        case .queued(let ticket, _), .crowded(let ticket, _):
          tickets += 1
          let mayWait = used >= limit && waiting.count < 2
          waiting.append(ticket)
          return broken("only who finds no permit waits", unless: mayWait)
            ?? difference("a ticket", ticket, name)
        }
      case .leave:
        holders -= 1
        return difference("who is woken", state.leave(), handOver().first)
      case .withdraw(let ticket):
        state.withdraw(ticket)
        waiting.removeAll { $0 == ticket }
        return nil
      case .claim(let ticket):
        let isHanded = handed.contains(ticket)
        if isHanded { holders += 1 }
        handed.removeAll { $0 == ticket }
        return difference("the claim", state.claim(ticket), isHanded)
      case .resize(let new, let number):
        let woken = state.resize(to: new, decision: number)
        guard number > decision else { return difference("who is woken by a late decision", woken, []) }
        (limit, decision) = (new, number)
        return difference("who is woken by new permits", woken, handOver())
      }
    }

    func checkInvariants() -> String? {
      difference("the permits in use", state.inUse, used)
        ?? difference("the limit", state.limit, limit)
        ?? difference("the number waiting", state.waiting, waiting.count)
        ?? broken("nobody waits while a permit is free", unless: waiting.isEmpty || used >= limit)
    }
  }

  @Test(
    "Every sequence of ten events keeps a bulkhead right whose limit changes, and agrees with a list of holders"
  )
  func exploration() {
    let result = Exploration(of: Scope(), depth: 10)
    #expect(result.fault == nil)
    #expect(result.steps > 10_000)
  }
}
