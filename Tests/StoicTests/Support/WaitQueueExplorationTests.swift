import Stoic
import Testing

@Suite("Wait queue, explored")
struct WaitQueueExplorationTests {
  // Both are Hashable, so a pair that was met is not continued again.
  private struct Scope: Explorable, Hashable {
    enum Event: Hashable { case append, popFirst, remove(UInt64) }

    struct Member: Hashable {
      var ticket: UInt64
      var element: Int
    }

    var queue = WaitQueue<Int>()
    var model: [Member] = []
    var appended: UInt64 = 0
    /// The tickets that are tried, among them those that are gone.
    var tried: [UInt64] = []

    var events: [Event] { [.append, .popFirst, .remove(appended)] + tried.map(Event.remove) }
    var mark: Scope { self }

    mutating func apply(_ event: Event) -> String? {
      switch event {
      case .append:
        let element = 100 + Int(appended)
        let ticket = queue.append(element)
        let isNew = ticket >= appended
        model.append(Member(ticket: ticket, element: element))
        tried.append(ticket)
        appended = ticket + 1
        return broken("a ticket is never used twice", unless: isNew)
      case .popFirst:
        let popped = queue.popFirst().map { Member(ticket: $0.ticket, element: $0.element) }
        return difference("the first member", popped, model.isEmpty ? nil : model.removeFirst())
      case .remove(let ticket):
        let index = model.firstIndex { $0.ticket == ticket }
        return difference("the removed one", queue.remove(ticket), index.map { model.remove(at: $0).element })
      }
    }

    func checkInvariants() -> String? {
      var copy = queue
      var drained: [Member] = []
      while let (ticket, element) = copy.popFirst() {
        drained.append(Member(ticket: ticket, element: element))
      }
      return difference("the count", queue.count, model.count)
        ?? difference("emptiness", queue.isEmpty, model.isEmpty)
        ?? difference("the order", drained, model)
    }

    /// A queue that many have left, so that a few events more make it clear up.
    static func thinned(to kept: [UInt64], of count: UInt64, popped: Int) -> Scope {
      var scope = Scope()
      for _ in 0..<count { _ = scope.apply(.append) }
      for _ in 0..<popped { _ = scope.apply(.popFirst) }
      for ticket in 0..<count where !kept.contains(ticket) { _ = scope.apply(.remove(ticket)) }
      scope.tried = kept
      return scope
    }
  }

  @Test("Every sequence of eleven events keeps a wait queue like a list")
  func exploration() {
    let result = Exploration(of: Scope(), depth: 11)
    #expect(result.fault == nil)
    #expect(result.steps > 3_000)
  }

  @Test(
    "Every sequence of eight events keeps a wait queue like a list when it is about to clear up",
    arguments: [[0, 17, 35], [33, 34, 35], [0, 1, 2]])
  func clearingUp(kept: [UInt64]) {
    let popped = kept[0] == 33 ? 10 : 0
    let result = Exploration(of: Scope.thinned(to: kept, of: 36, popped: popped), depth: 8)
    #expect(result.fault == nil)
    #expect(result.steps > 5_000)
  }
}
