extension ByteSink {
  /// Writes an array or object that was built, and all that is in it, without white space.
  ///
  /// It stops at a number that is not finite and returns the way to it, unless such numbers are welcome.
  mutating func putCompact(_ node: Node, isObject: Bool, refusesNonFinite: Bool) -> [PathStep]? {
    var open: [Walk] = []
    var walk = Walk(node, isObject: isObject)
    put(opening: isObject)
    while true {
      if walk.next == walk.values.count {
        reserve(1)
        put(walk.isObject ? UInt8(ascii: "}") : UInt8(ascii: "]"))
        guard let outer = open.popLast() else { return nil }
        walk = outer
        continue
      }
      if walk.next > 0 {
        reserve(1)
        put(UInt8(ascii: ","))
      }
      if walk.isObject {
        putQuoted(walk.names[walk.next])
        reserve(1)
        put(UInt8(ascii: ":"))
      }
      let index = walk.next
      walk.next &+= 1
      switch walk.values[index].storage {
      case .null: put(word: "null")
      case .bool(let value): put(word: value ? "true" : "false")
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

  mutating func put(word: StaticString) {
    word.withByteView(&self) { sink, bytes in
      sink.reserve(bytes.count)
      sink.put(bytes)
    }
  }

  /// Writes a number that JSON does not have, for a description.
  mutating func put(nonFinite value: Double) {
    put(word: value.isNaN ? "nan" : value < 0 ? "-inf" : "inf")
  }
}

/// A walk through an array or object that was built.
private struct Walk {
  let names: [String]
  let values: [JSON]
  let isObject: Bool
  var next = 0

  init(_ node: Node, isObject: Bool) {
    names = node.keys.names
    values = node.values
    self.isObject = isObject
  }

  /// The step to the value visited last.
  var step: PathStep {
    isObject ? .key(names[next - 1]) : .index(next - 1)
  }
}
