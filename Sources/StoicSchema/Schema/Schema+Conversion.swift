public import StoicJSON

extension Schema {
  /// The values of this schema as values of another type, both ways.
  ///
  /// ```swift
  /// let seconds = Schema.int.map({ Duration.seconds($0) }, back: { Int($0.components.seconds) })
  /// ```
  public func map<New>(
    _ forth: @escaping @Sendable (Value) -> New, back: @escaping @Sendable (New) -> Value
  ) -> Schema<New> {
    converted(expecting: expected, { .some(forth($0)) }, back)
  }

  /// The values of this schema that can be values of another type; others are an issue with the code
  /// `.refinement`.
  ///
  /// Which can is no part of the export: say it there yourself if JSON Schema can, by `export`.
  ///
  /// - Parameters:
  ///   - rule: What is expected, for messages; it follows "expected".
  ///   - export: What JSON Schema can say of it.
  ///   - forth: Makes a new value, or nil when it cannot.
  ///   - back: Makes the value that is written.
  public func map<New>(
    expecting rule: String, export: JSON = [:], _ forth: @escaping @Sendable (Value) -> New?,
    back: @escaping @Sendable (New) -> Value
  ) -> Schema<New> {
    converted(expecting: rule, export: export, forth, back)
  }

  private func converted<New>(
    expecting rule: String, export: JSON = [:],
    _ forth: @escaping @Sendable (Value) -> New?, _ back: @escaping @Sendable (New) -> Value
  ) -> Schema<New> {
    let (read, missing, write) = (self.read, self.missing, self.write)
    @Sendable func convert(
      _ value: Value, _ json: JSON, found: String, since start: DecodingContext.Start,
      _ context: inout DecodingContext, _ place: Place<New>
    ) -> Bool {
      guard let new = forth(value) else {
        context.record(.refinement, at: start, offset: json.start, .kinds(expected: rule, found: found))
        return false
      }
      place.put(new)
      return true
    }
    var fill: Schema<New>.Fill?
    if let missing {
      fill = { object, context, place in
        let start = context.start
        guard let value = Place.filled(by: { missing(object, &context, $0) }) else { return false }
        return convert(value, object, found: "nothing", since: start, &context, place)
      }
    }
    return Schema<New>(
      expected: expected, describe: { [describe] context in allOf(describe(&context), export) },
      missing: fill,
      read: { json, context, place in
        let start = context.start
        guard let value = Place.filled(by: { read(json, &context, $0) }) else { return false }
        return convert(value, json, found: json.another, since: start, &context, place)
      },
      write: { new, context in write(back(new), &context) })
  }

  /// A value that takes the place of one that does not fit, whatever it is; that is a repair.
  ///
  /// A member that is missing stays missing.
  public func fallback(to substitute: Value) -> Schema where Value: Sendable {
    let (read, write) = (self.read, self.write)
    return Schema(
      expected: expected, describe: { _ in [:] }, missing: missing, isSilentWhenMissing: isSilentWhenMissing,
      read: { json, context, place in
        var trial = context.trial(keepingErrors: context[.repair].hasRoom ? 1 : 0)
        let isRead = read(json, &trial, place)
        context.settle(trial)
        if isRead {
          context.adopt(trial)
          return true
        }
        context.record(
          .fallback, as: .repair, offset: json.start, .sentence("\(trial.firstError); a substitute is used"))
        place.put(substitute)
        return true
      },
      write: write)
  }
}

extension DecodingContext {
  /// What the first error of a trial says, with its place within the value.
  var firstError: String {
    guard let issue = issues(.error).first else { return "expected another value" }
    return issue.path.elements.isEmpty ? issue.message : "\(issue.message) at \(issue.path)"
  }
}
