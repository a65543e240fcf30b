/// A binary heap: the least element is found at once, adding and taking it out cost the logarithm of the number.
package struct Heap<Element: Comparable> {
  private var elements: [Element] = []

  package init() {}

  package var count: Int { elements.count }

  /// The least element.
  package var first: Element? { elements.first }

  package mutating func insert(_ element: Element) {
    elements.append(element)
    raise(elements.count - 1)
  }

  /// Takes the least element out.
  @discardableResult
  package mutating func popFirst() -> Element? {
    guard let first = elements.first, let last = elements.popLast() else { return nil }
    guard !elements.isEmpty else { return first }
    elements[0] = last
    var parent = 0
    while true {
      var least = parent
      for child in (2 * parent + 1)...(2 * parent + 2)
      where child < elements.count && elements[child] < elements[least] { least = child }
      guard least != parent else { return first }
      elements.swapAt(parent, least)
      parent = least
    }
  }

  /// Keeps the elements that a condition allows, in the room that is there.
  package mutating func filter(_ isKept: (Element) -> Bool) {
    elements.removeAll { !isKept($0) }
    for index in elements.indices { raise(index) }
  }

  /// Moves an element up past those that are greater.
  private mutating func raise(_ index: Int) {
    var child = index
    while child > 0, elements[child] < elements[(child - 1) / 2] {
      elements.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }
}

extension Heap: Sendable where Element: Sendable {}
