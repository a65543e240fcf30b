import StoicJSON

extension Schema {
  /// An array whose elements all fit a schema.
  public static func array<Element>(_ element: Schema<Element>) -> Schema where Value == [Element] {
    Schema(
      expected: "array", export: ["type": "array", "items": element.export],
      read: { json, context in
        guard let elements = json.array else {
          context.recordMismatch(expected: "array", found: json)
          return nil
        }
        var values: [Element] = []
        values.reserveCapacity(elements.count)
        for (index, json) in elements.enumerated() {
          let mark = context.mark
          // Once an element has failed, the rest is read for its issues and nothing is stored.
          if let value = element.read(json, &context), values.count == index { values.append(value) }
          context.prepend(.index(index), since: mark)
        }
        return values.count == elements.count ? values : nil
      },
      write: { values in JSON(values.map(element.encode)) })
  }

  /// An object with any keys, whose values all fit a schema.
  ///
  /// Two keys that JSON tells apart and Swift does not (a composed and a decomposed "é") are an issue with
  /// the code `.equivalentKeys`: a Swift dictionary would lose one of them.
  public static func dictionary<Element>(_ element: Schema<Element>) -> Schema
  where Value == [String: Element] {
    Schema(
      expected: "object", export: ["type": "object", "additionalProperties": element.export],
      read: { json, context in
        guard let object = json.object else {
          context.recordMismatch(expected: "object", found: json)
          return nil
        }
        var values: [String: Element] = [:]
        values.reserveCapacity(object.count)
        for (key, json) in object {
          let mark = context.mark
          if let value = element.read(json, &context), values.updateValue(value, forKey: key) != nil {
            context.record(.equivalentKeys, "expected keys that differ as Swift strings")
          }
          context.prepend(.key(key), since: mark)
        }
        return values.count == object.count ? values : nil
      },
      write: { values in
        let sorted = values.sorted { precedesInBytes($0.key, $1.key) }
        return JSON(sorted.map { (key: $0.key, value: element.encode($0.value)) })
      })
  }
}
