import Stoic
import StoicJSON

/// What a syntax tree or a page of widgets looks like: nested forty levels deep, a bit of everything.
struct DeepMix: Shape {
  struct Branch: Codable {
    let kind: String
    let weight: Double
    let count: Int
    let isOpen: Bool
    let label: String?
    let children: [Branch]
  }

  static let name = "deep"

  let root: Branch

  static func generate(_ generator: inout SplitMix) -> DeepMix {
    DeepMix(root: branch(20, &generator))
  }

  private static func branch(_ levels: Int, _ generator: inout SplitMix) -> Branch {
    // One child goes all the way down; the others stop soon, so that the size stays within bounds.
    var children: [Branch] = []
    if levels > 0 {
      children.append(branch(levels - 1, &generator))
      for _ in 0..<Int.random(in: 3...7, using: &generator) {
        children.append(branch(min(levels - 1, Int.random(in: 0...2, using: &generator)), &generator))
      }
    }
    return Branch(
      kind: Words.sentence(Words.latin, 1, &generator),
      weight: Double(Int.random(in: 0..<10_000, using: &generator)) / 64,
      count: Int.random(in: -1_000...1_000, using: &generator), isOpen: Bool.random(using: &generator),
      label: Bool.random(using: &generator)
        ? Words.sentence(Words.latin, Int.random(in: 1...6, using: &generator), &generator) : nil,
      children: children)
  }

  var json: JSON { ["root": root.json] }
}

extension DeepMix.Branch {
  fileprivate var json: JSON {
    [
      "kind": JSON(kind), "weight": JSON(weight), "count": JSON(count), "isOpen": JSON(isOpen),
      "label": label.map { JSON($0) } ?? .null, "children": JSON(children.map(\.json)),
    ]
  }
}
