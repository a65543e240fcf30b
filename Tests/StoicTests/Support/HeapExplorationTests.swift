import Stoic
import Testing

@Suite("Heap, explored")
struct HeapExplorationTests {
  private struct Scope: Explorable {
    enum Event { case insert(Int), popFirst, filterEven, filterNone }

    var heap = Heap<Int>()
    /// Ascending.
    var model: [Int] = []

    var events: [Event] { (0...3).map(Event.insert) + [.popFirst, .filterEven, .filterNone] }

    // A heap is not `Hashable`; its picture shows the order of its elements.
    var mark: String { picture(of: heap) + "\(model)" }

    mutating func apply(_ event: Event) -> String? {
      switch event {
      case .insert(let number):
        heap.insert(number)
        model = (model + [number]).sorted()
        return nil
      case .popFirst:
        return difference("the popped element", heap.popFirst(), model.isEmpty ? nil : model.removeFirst())
      case .filterEven:
        heap.filter { $0 % 2 == 0 }
        model = model.filter { $0 % 2 == 0 }
        return nil
      case .filterNone:
        heap.filter { _ in false }
        model = []
        return nil
      }
    }

    func checkInvariants() -> String? {
      var copy = heap
      var drained: [Int] = []
      while let next = copy.popFirst() { drained.append(next) }
      return difference("the count", heap.count, model.count)
        ?? difference("the first element", heap.first, model.first)
        ?? difference("what comes out", drained, model)
    }
  }

  @Test("Every sequence of eight events leaves a heap that gives back a sorted list")
  func exploration() {
    let result = Exploration(of: Scope(), depth: 8)
    #expect(result.fault == nil)
    #expect(result.steps > 5_000)
  }
}
