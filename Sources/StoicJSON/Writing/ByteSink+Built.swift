extension ByteSink {
  /// Writes an array or object that was built, and all that is in it, without white space.
  ///
  /// It stops at a number that is not finite and returns the way to it, unless such numbers are welcome.
  mutating func putCompact(_ node: Node, isObject: Bool, refusesNonFinite: Bool) -> [PathStep]? {
    var open: [Walk] = []
    var walk = Walk(node, isObject: isObject)
    put(opening: isObject)
    while true {
      if walk.next == walk.node.values.count {
        reserve(1)
        put(walk.isObject ? UInt8(ascii: "}") : UInt8(ascii: "]"))
        guard let outer = open.popLast() else { return nil }
        walk = outer
        continue
      }
      reserve(8)
      if walk.next > 0 { put(UInt8(ascii: ",")) }
      if walk.isObject {
        putQuoted(walk.node.keys.names[walk.next])
        reserve(1)
        put(UInt8(ascii: ":"))
      }
      let index = walk.next
      walk.next &+= 1
      switch walk.node.values[index].storage {
      case .null: putNull()
      case .bool(let value): put(value)
      case .integer(let value): NumberText.write(value, to: &self)
      case .double(let value):
        if value.isFinite {
          NumberText.write(value, canonically: false, to: &self)
        } else if refusesNonFinite {
          return (open + [walk]).map(\.step)
        } else {
          put(nonFinite: value)
        }
      case .string(let text): putQuoted(text)
      case .array(let node):
        open.append(walk)
        walk = Walk(node, isObject: false)
        put(opening: false)
      case .object(let node):
        open.append(walk)
        walk = Walk(node, isObject: true)
        put(opening: true)
      case .parsed(let value): putCompact(value)
      }
    }
  }

  private mutating func put(opening isObject: Bool) {
    reserve(1)
    put(isObject ? UInt8(ascii: "{") : UInt8(ascii: "["))
  }

  mutating func putNull() {
    reserve(8)
    put(0x6C6C_756E, count: 4)
  }

  mutating func put(_ value: Bool) {
    reserve(8)
    // The letters of "true" and "false", the first in the lowest bits.
    put(value ? 0x6575_7274 : 0x65_736C_6166, count: value ? 4 : 5)
  }

  /// Writes a number that JSON does not have, for a description.
  mutating func put(nonFinite value: Double) {
    for byte in value.description.utf8 {
      reserve(1)
      put(byte)
    }
  }
}

/// A walk through an array or object that was built.
private struct Walk {
  let node: Node
  let isObject: Bool
  var next = 0

  init(_ node: Node, isObject: Bool) {
    self.node = node
    self.isObject = isObject
  }

  /// The step to the value visited last.
  var step: PathStep {
    isObject ? .key(node.keys.names[next - 1]) : .index(next - 1)
  }
}
