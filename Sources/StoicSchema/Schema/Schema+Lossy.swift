import StoicJSON

extension Schema {
  /// An array without the elements that do not fit; each that is left out is a repair at its place.
  public static func lossyArray<Element>(_ element: Schema<Element>) -> Schema where Value == [Element] {
    Schema(
      expected: "array", describe: { _ in ["type": "array"] },
      read: { json, context, place in
        guard var walk = JSON.Walk(json), !walk.isObject else {
          context.recordMismatch(expected: "array", found: json)
          return false
        }
        guard let outer = context.enter(json, count: walk.count) else { return false }
        defer { context.leave(outer) }
        place.put(
          Place.elements(upTo: walk.count) { index, place in
            guard let value = walk.next() else { return false }
            let mark = context.mark
            defer { context.prepend(.index(index), since: mark) }
            return context.readOrDrop(value, element, place)
          })
        return true
      },
      write: Schema.array(element).write)
  }

  /// An object with any keys, without the members whose values do not fit; each that is left out is a repair.
  ///
  /// Of keys that are the same Swift string the first stays. Within a union, the member with the tag is none of
  /// the dictionary's.
  public static func lossyDictionary<Element>(_ element: Schema<Element>) -> Schema
  where Value == [String: Element] {
    Schema(
      expected: "object", describe: { _ in ["type": "object"] },
      read: { json, context, place in
        let tags = context.takeTags()
        guard var walk = JSON.Walk(json), walk.isObject else {
          context.recordMismatch(expected: "object", found: json)
          return false
        }
        guard let outer = context.enter(json, count: walk.count) else { return false }
        defer { context.leave(outer) }
        var values: [String: Element] = [:]
        while let json = walk.next() {
          if walk.isKey(among: tags) { continue }
          let start = context.start
          if let value = Place.filled(by: { context.readOrDrop(json, element, $0) }) {
            if values[walk.key] == nil {
              values[walk.key] = value
            } else {
              context.record(
                .dropped, as: .repair, at: start, offset: walk.keyOffset,
                .sentence("left out: expected keys that differ as Swift strings"))
            }
          }
          context.prepend(.key(walk.key), since: start.mark)
        }
        place.put(values)
        return true
      },
      write: Schema.dictionary(element).write)
  }
}

extension DecodingContext {
  /// Reads a value; if it does not fit, it is a repair and no error.
  fileprivate mutating func readOrDrop<Value>(
    _ json: JSON, _ schema: Schema<Value>, _ place: Place<Value>
  ) -> Bool {
    var trial = trial(keepingErrors: self[.repair].hasRoom ? 1 : 0)
    let isRead = schema.read(json, &trial, place)
    settle(trial)
    if isRead {
      adopt(trial)
      return true
    }
    record(.dropped, as: .repair, offset: json.start, .sentence("left out: \(trial.firstError)"))
    return false
  }
}
