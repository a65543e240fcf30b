import StoicJSON

extension Schema {
  /// An array whose elements all fit a schema.
  @_specialize(where Element == String)
  @_specialize(where Element == Int)
  @_specialize(where Element == Double)
  public static func array<Element>(_ element: Schema<Element>) -> Schema where Value == [Element] {
    Schema(
      expected: "array",
      describe: { context in
        ["type": "array", "items": context.inside { context in element.describe(&context) }]
      },
      read: { json, context, place in
        guard var walk = JSON.Walk(json), !walk.isObject else {
          context.recordMismatch(expected: "array", found: json)
          return false
        }
        guard let outer = context.enter(json, count: walk.count) else { return false }
        defer { context.leave(outer) }
        let values = Place.elements(upTo: walk.count) { index, place in
          guard let value = walk.next() else { return false }
          let mark = context.mark
          let isFilled = element.read(value, &context, place)
          context.prepend(.index(index), since: mark)
          return isFilled
        }
        guard values.count == walk.count else { return false }
        place.put(values)
        return true
      },
      write: { values, context in
        context.nested { context in JSON(values.map { element.write($0, &context) ?? .null }) }
      })
  }

  /// An object with any keys, whose values all fit a schema.
  ///
  /// Two keys that JSON tells apart and Swift does not (a composed and a decomposed "é") are an issue with
  /// the code `.equivalentKeys`: a Swift dictionary would lose one of them. Within a union, the member with
  /// the tag is none of the dictionary's.
  public static func dictionary<Element>(_ element: Schema<Element>) -> Schema
  where Value == [String: Element] {
    Schema(
      expected: "object",
      describe: { context in describeDictionary(of: element, &context) },
      read: { json, context, place in
        let tags = context.takeTags()
        guard var walk = JSON.Walk(json), walk.isObject else {
          context.recordMismatch(expected: "object", found: json)
          return false
        }
        guard let outer = context.enter(json, count: walk.count) else { return false }
        defer { context.leave(outer) }
        var values: [String: Element] = [:]
        values.reserveCapacity(walk.count)
        var isWhole = true
        while let json = walk.next() {
          if walk.isKey(among: tags) { continue }
          let start = context.start
          if let value = Place.filled(by: { element.read(json, &context, $0) }) {
            if values.updateValue(value, forKey: walk.key) != nil {
              context.record(
                .equivalentKeys, at: start, offset: walk.keyOffset,
                .sentence("expected keys that differ as Swift strings"))
              isWhole = false
            }
          } else {
            isWhole = false
          }
          context.prepend(.key(walk.key), since: start.mark)
        }
        if isWhole { place.put(values) }
        return isWhole
      },
      write: { values, context in
        context.nested { context in
          let sorted = values.sorted { precedesInBytes($0.key, $1.key) }
          return JSON(sorted.map { (key: $0.key, value: element.write($0.value, &context) ?? .null) })
        }
      })
  }
}

extension JSON.Walk {
  /// Whether the last member's key is one of a few.
  func isKey(among keys: [String]) -> Bool {
    if keys.isEmpty { return false }
    let key = key
    return keys.contains { hasSameBytes($0, key) }
  }
}
