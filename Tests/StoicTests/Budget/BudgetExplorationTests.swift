import Stoic
import Testing

@Suite("Retry budget, explored")
struct BudgetExplorationTests {
  // Both are Hashable, so a pair that was met is not continued again. Instants are absolute: one that lies
  // before the latest is a late caller's. A window of 400 ns has a grain of 4.
  private struct Scope: Explorable, Hashable {
    enum Event: Hashable { case available(at: Int), deposit(at: Int), withdraw(at: Int), refund(Int) }

    struct Entry: Hashable {
      var leavesWith: Int
      var isRetry: Bool
      var number: Int?
    }

    static let instants = [0, 3, 4, 400]

    let perMillion: Int
    let minimum: Int
    var state: RetryBudgetState
    var entries: [Entry] = []
    var latest = 0
    var slot: Int?
    /// What was paid and not given back, by the number of its payment.
    var paid: [Int: RetryBudgetState.Withdrawal] = [:]
    var payments = 0

    init(perMillion: Int, minimum: Int) {
      self.perMillion = perMillion
      self.minimum = minimum
      state = RetryBudgetState(
        perMillion: perMillion, minimumRetries: minimum, window: .nanoseconds(400))
    }

    var events: [Event] {
      Self.instants.flatMap { [.available(at: $0), .deposit(at: $0), .withdraw(at: $0)] }
        + paid.keys.sorted().map(Event.refund)
    }

    var mark: Scope { self }

    /// Retries at the latest instant, by the formula.
    var available: Int {
      let successes = entries.filter { !$0.isRetry }.count
      let retries = entries.filter(\.isRetry).count
      return max(0, minimum + successes * perMillion / 1_000_000 - retries)
    }

    private mutating func move(to now: Int) {
      latest = max(latest, now)
      let instant = latest
      entries = entries.filter { instant - $0.leavesWith < 400 }
    }

    private mutating func add(isRetry: Bool, number: Int?) {
      // Entries within a hundredth of the window leave with the first, also where that was taken back.
      let first = slot.map { latest - $0 < 4 ? $0 : latest } ?? latest
      slot = first
      entries.append(Entry(leavesWith: first, isRetry: isRetry, number: number))
    }

    mutating func apply(_ event: Event) -> String? {
      switch event {
      case .available(let now):
        move(to: now)
        return difference("what is available", state.available(at: .nanoseconds(now)), available)
      case .deposit(let now):
        move(to: now)
        add(isRetry: false, number: nil)
        state.deposit(at: .nanoseconds(now))
        return nil
      case .withdraw(let now):
        move(to: now)
        let isPaid = available > 0
        let withdrawal = state.withdraw(at: .nanoseconds(now))
        if isPaid {
          add(isRetry: true, number: payments)
          paid[payments] = withdrawal
          payments += 1
        }
        return difference("whether it is paid", withdrawal != nil, isPaid)
      case .refund(let number):
        guard let withdrawal = paid.removeValue(forKey: number) else { return nil }
        state.refund(withdrawal)
        entries.removeAll { $0.number == number }
        return nil
      }
    }

    func checkInvariants() -> String? {
      var copy = state
      let before = copy.available(at: .nanoseconds(latest))
      let isRepeatable = copy.available(at: .zero) == before
      return difference("what is available", before, available)
        ?? broken("what is available is never negative", unless: before >= 0)
        ?? broken("asking at an earlier instant moves no time back", unless: isRepeatable)
    }
  }

  @Test(
    "Every sequence of eight events gives a budget what the formula gives for a filtered list",
    arguments: [(500_000, 1), (0, 2), (1_500_000, 0)])
  func exploration(perMillion: Int, minimum: Int) {
    let result = Exploration(of: Scope(perMillion: perMillion, minimum: minimum), depth: 8)
    #expect(result.fault == nil)
    #expect(result.steps > 5_000)
  }
}
