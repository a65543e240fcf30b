import Stoic
import Testing

@Suite("Lines that wait, explored")
struct LineQueueExplorationTests {
  private struct Scope: Explorable {
    enum Event { case add, next }

    let limit: Int
    var state: LineQueue
    /// All lines, in order; nil for one that found no place.
    var waiting: [String] = []
    var lost = 0
    var isWriting = false
    var added = 0

    init(limit: Int) {
      self.limit = limit
      state = LineQueue(limit: limit)
    }

    var events: [Event] {
      // Only who writes asks for the next lines.
      [.add] + (isWriting ? [.next] : [])
    }

    var mark: String { picture(of: state) + picture(of: waiting) + "\(lost) \(isWriting)" }

    mutating func apply(_ event: Event) -> String? {
      switch event {
      case .add:
        added += 1
        let line = "line \(added)"
        if waiting.count < limit { waiting.append(line) } else { lost += 1 }
        let begins = !isWriting
        isWriting = true
        return difference("whether the caller writes", state.add(line), begins)
      case .next:
        let expected: LineQueue.Step = waiting.isEmpty ? .stop : .write(waiting, lost: lost)
        if waiting.isEmpty { isWriting = false }
        (waiting, lost) = ([], 0)
        return difference("what is to be written", state.next(), expected)
      }
    }

    func checkInvariants() -> String? {
      broken("lines only wait while somebody writes", unless: waiting.isEmpty || isWriting)
    }
  }

  @Test(
    "Every sequence of ten events writes all lines that found a place, in order, and counts the rest",
    arguments: [0, 1, 2, 5])
  func exploration(limit: Int) {
    let result = Exploration(of: Scope(limit: limit), depth: 10)
    #expect(result.fault == nil)
    #expect(result.steps > 20)
  }
}
