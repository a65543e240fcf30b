public import StoicJSON

extension Schema where Value: FixedWidthInteger & Sendable {
  /// The integers of this schema that lie in a range; others are an issue with the code `.range`.
  public func `in`(_ range: some SchemaRange<Value>) -> Schema {
    let limits = range.schemaLimits
    return checked(
      .range, expected: "\(expected) \(limits.words { "\($0)" })", export: limits.export { JSON($0) },
      limits.contains)
  }
}

extension Schema where Value == Double {
  /// The numbers of this schema that lie in a range; others are an issue with the code `.range`.
  ///
  /// An end that is infinite is none, or one that nothing reaches.
  public func `in`(_ range: some SchemaRange<Double>) -> Schema {
    inRange(range.schemaLimits) { JSON($0) }
  }
}

extension Schema where Value == Float {
  /// The numbers of this schema that lie in a range; others are an issue with the code `.range`.
  ///
  /// An end that is infinite is none, or one that nothing reaches.
  public func `in`(_ range: some SchemaRange<Float>) -> Schema {
    inRange(range.schemaLimits) { $0.json }
  }
}

extension Schema where Value: BinaryFloatingPoint & Sendable {
  private func inRange(_ limits: SchemaLimits<Value>, _ json: (Value) -> JSON) -> Schema {
    let isEmpty =
      limits.lower.map { !($0 < .infinity) } ?? false || limits.upper.map { !($0 > -.infinity) } ?? false
    let finite = SchemaLimits(
      lower: limits.lower.flatMap { $0.isFinite ? $0 : nil },
      upper: limits.upper.flatMap { $0.isFinite ? $0 : nil }, includesUpper: limits.includesUpper)
    return checked(
      .range, expected: "\(expected) \(limits.words { "\($0)" })",
      export: isEmpty ? ["not": [:]] : finite.export(json), limits.contains)
  }
}

extension Schema where Value == String {
  /// The strings whose length, in Unicode scalars as JSON Schema counts, is in a range.
  ///
  /// Others are an issue with the code `.length`.
  public static func string(length range: some SchemaRange<Int>) -> Schema {
    string.length(range)
  }

  /// The strings that a pattern matches as a whole; others are an issue with the code `.format`.
  public static func string(matching pattern: Pattern) -> Schema {
    string.matching(pattern)
  }

  /// The strings that a pattern, given as text, matches as a whole; others are an issue with the code `.format`.
  ///
  /// A text that is no pattern makes a schema that no string fits, and whose issues say what is wrong with the pattern.
  /// ``Pattern/init(_:)`` throws instead.
  public static func string(matching pattern: String) -> Schema {
    do {
      return string.matching(try Pattern(pattern))
    } catch {
      return string.checked(
        .format, expected: "string that matches a pattern, which is wrong itself: \(error)",
        export: ["not": [:]]
      ) { _ in false }
    }
  }

  /// The strings of this schema whose length in Unicode scalars is in a range.
  public func length(_ range: some SchemaRange<Int>) -> Schema {
    let limits = range.schemaLimits
    return checked(
      .length, expected: "\(expected) of length \(limits.words { "\($0)" })",
      export: limits.export(of: "Length")
    ) { limits.contains($0.unicodeScalars.count) }
  }

  /// The strings of this schema that a pattern matches as a whole.
  public func matching(_ pattern: Pattern) -> Schema {
    checked(
      .format, expected: "\(expected) that matches \"\(displayText(pattern.text, limit: 64))\"",
      export: ["pattern": JSON(pattern.export)],
      pattern.matches)
  }
}

extension Schema {
  /// An array of so many elements; another number is an issue with the code `.length`.
  public static func array<Element>(_ element: Schema<Element>, count range: some SchemaRange<Int>) -> Schema
  where Value == [Element] {
    let limits = range.schemaLimits
    return Schema.array(element).checked(
      .length, expected: "array with a count of \(limits.words { "\($0)" })",
      export: limits.export(of: "Items")
    ) { limits.contains($0.count) }
  }

  /// An object with so many members; another number is an issue with the code `.length`.
  ///
  /// Within a union, the member with the tag does not count.
  public static func dictionary<Element>(
    _ element: Schema<Element>, count range: some SchemaRange<Int>
  ) -> Schema where Value == [String: Element] {
    let limits = range.schemaLimits
    return Schema.dictionary(element).checked(
      .length, expected: "object with a count of \(limits.words { "\($0)" })",
      export: { tags in limits.export(of: "Properties", besides: tags) }
    ) { limits.contains($0.count) }
  }

  /// The values of this schema that keep a rule of yours; others are an issue with the code `.refinement`.
  ///
  /// ```swift
  /// let even = Schema.int.refine("an even number") { $0.isMultiple(of: 2) }
  /// ```
  ///
  /// Among the fields of an object, begin with `Schema.int` and not with `.int`: after a leading dot, the
  /// compiler of Swift 6.3 there takes the closure for one that is not `@Sendable`.
  ///
  /// The rule is no part of the export: say it there yourself if you can, by `export`, whose members are to
  /// describe the same values.
  ///
  /// - Parameters:
  ///   - rule: What is expected, for messages; it follows "expected".
  ///   - export: What JSON Schema can say of it.
  public func refine(
    _ rule: String, export: JSON = [:], _ isKept: @escaping @Sendable (Value) -> Bool
  ) -> Schema {
    checked(.refinement, expected: rule, export: export, isKept)
  }

  /// The values that pass a test, their own kind being right.
  func checked(
    _ code: ValidationIssue.Code, expected rule: String, export: JSON,
    _ isRight: @escaping @Sendable (Value) -> Bool
  ) -> Schema {
    checked(code, expected: rule, export: { _ in export }, isRight)
  }

  /// - Parameter export: What JSON Schema says of the values, given how many members the unions around add.
  private func checked(
    _ code: ValidationIssue.Code, expected rule: String, export: @escaping @Sendable (_ tags: Int) -> JSON,
    _ isRight: @escaping @Sendable (Value) -> Bool
  ) -> Schema {
    let (read, missing, write) = (self.read, self.missing, self.write)
    @Sendable func check(
      _ value: Value, _ json: JSON, found: String, since start: DecodingContext.Start,
      _ context: inout DecodingContext, _ place: Place<Value>
    ) -> Bool {
      guard isRight(value) else {
        context.record(code, at: start, offset: json.start, .kinds(expected: rule, found: found))
        return false
      }
      place.put(value)
      return true
    }
    var fill: Fill?
    if let missing {
      fill = { object, context, place in
        let start = context.start
        guard let value = Place.filled(by: { missing(object, &context, $0) }) else { return false }
        return check(value, object, found: "nothing", since: start, &context, place)
      }
    }
    return Schema(
      expected: code == .refinement ? expected : rule,
      describe: { [describe] context in
        let tags = Set(context.tags.map { ByteKey($0.key) }).count
        return allOf(describe(&context), export(tags))
      },
      missing: fill,
      read: { json, context, place in
        let start = context.start
        guard let value = Place.filled(by: { read(json, &context, $0) }) else { return false }
        return check(value, json, found: json.another, since: start, &context, place)
      },
      write: write)
  }
}
