import StoicJSON

extension Schema {
  /// One case of a union: its own schema, and how a value goes into the union and out of it.
  public struct Variant: Sendable {
    let tag: String
    let expected: String
    let describe: @Sendable (inout ExportContext) -> JSON
    let read: Read
    /// The JSON form of a value that is this case; nil when it is another.
    let write: @Sendable (Value, inout EncodingContext) -> JSON?

    /// A case with a payload.
    ///
    /// ```swift
    /// .variant("circle", Circle.schema, Shape.circle) { if case .circle(let circle) = $0 { circle } else {
    /// nil } }
    /// ```
    ///
    /// - Parameters:
    ///   - tag: What the discriminating member says; for `oneOf`, a name for messages.
    ///   - schema: The payload; for `discriminated` it must be an object.
    ///   - wrap: Makes a value of the payload.
    ///   - unwrap: The payload of a value, or nil when it is another case.
    public static func variant<Payload>(
      _ tag: String, _ schema: Schema<Payload>, _ wrap: @escaping @Sendable (Payload) -> Value,
      unwrap: @escaping @Sendable (Value) -> Payload?
    ) -> Variant {
      let (read, write) = (schema.read, schema.write)
      return Variant(
        tag: tag, expected: schema.expected, describe: schema.describe,
        read: { json, context, place in
          guard let payload = Place.filled(by: { read(json, &context, $0) }) else { return false }
          place.put(wrap(payload))
          return true
        },
        write: { value, context in unwrap(value).map { write($0, &context) ?? .null } })
    }
  }

  /// An object in which one member, a string, says which of several cases it is.
  ///
  /// Only that case's issues are listed. A tag that is none of the known ones is an issue with the code
  /// `.unknownCase`. The member with the tag need not be a field of the case's own schema, and is written
  /// first. A value that is none of the cases is written as null.
  public static func discriminated(_ key: String, _ variants: [Variant]) -> Schema {
    let positions = Dictionary(
      variants.enumerated().map { (ByteKey($0.element.tag), $0.offset) },
      uniquingKeysWith: { first, _ in first })
    return Schema(
      expected: "object", describe: { context in describeDiscriminated(key, variants, &context) },
      read: { json, context, place in
        guard let object = json.object else {
          context.recordMismatch(expected: "object", found: json)
          return false
        }
        let mark = context.mark
        guard let member = object[key] else {
          context.record(
            .missing, steps: 1, offset: json.start, .kinds(expected: "string", found: "nothing"))
          context.prepend(.key(key), since: mark)
          return false
        }
        _ = context.effort.spend(member.ownLength)  // Whoever goes into the object finds out.
        if let tag = member.string, let position = positions[ByteKey(tag)] {
          let outer = context.tags
          context.tags.append(key)
          defer { context.tags = outer }
          return variants[position].read(json, &context, place)
        }
        if member.kind == .string {
          context.record(
            .unknownCase, steps: 1, offset: member.start,
            .kinds(expected: list(variants.map(\.tag)), found: "another string"))
        } else {
          context.recordMismatch(expected: "string", found: member, steps: 1)
        }
        context.prepend(.key(key), since: mark)
        return false
      },
      write: { value, context in
        for variant in variants {
          guard let json = variant.write(value, &context) else { continue }
          guard let object = json.object else { return json }
          let others = object.filter { !hasSameBytes($0.key, key) }
          return JSON([(key: key, value: JSON(variant.tag))] + others)
        }
        return .null
      })
  }

  /// A value that fits one of several schemas; the first that fits counts.
  ///
  /// When none fits, the issues are those of the alternative that got furthest: the one whose outermost issue
  /// lies deepest in the document, of these the one with the fewest issues, of these the first. When none got
  /// further than the kind of the value, one issue names all of them. What it takes to try alternatives
  /// within alternatives is bounded; beyond, there is an issue with the code `.tooComplex`. Of these tags
  /// only messages make use. A value that is none of the cases is written as null.
  public static func oneOf(_ variants: [Variant]) -> Schema {
    let kinds = variants.map(\.expected).unique
    let expected = kinds.isEmpty ? "nothing" : kinds.joined(separator: " or ")
    return Schema(
      expected: expected,
      describe: { context in
        if variants.isEmpty { return nothing }
        let tags = context.tags
        defer { context.tags = [] }
        return [
          "anyOf": JSON(
            variants.map { variant in
              context.tags = tags
              return variant.describe(&context)
            })
        ]
      },
      read: { json, context, place in context.readFirst(of: variants, json, expected, place) },
      write: { value, context in
        for variant in variants {
          if let json = variant.write(value, &context) { return json }
        }
        return .null
      })
  }
}

extension DecodingContext {
  fileprivate mutating func readFirst<Value>(
    of variants: [Schema<Value>.Variant], _ json: JSON, _ expected: String, _ place: Place<Value>
  ) -> Bool {
    // The outermost union has an account for all that is inside, so that one costly value spoils no other.
    let outer = effort
    if !outer.isTrial { effort = Effort(size: json.expectedLength) }
    defer { if !outer.isTrial { effort = outer } }
    let cost = json.ownLength
    var best: (trial: DecodingContext, depth: Int)?
    for variant in variants {
      var trial = trial(keepingErrors: self[.error].limit)
      let isRead = trial.effort.spend(cost) && variant.read(json, &trial, place)
      settle(trial)
      if isRead {
        adopt(trial)
        return true
      }
      if effort.isExhausted { break }
      let depth = (trial.reach.depth ?? nesting.depth) - nesting.depth
      if best.map({ depth > $0.depth || depth == $0.depth && trial.totalErrors < $0.trial.totalErrors })
        ?? true
      {
        best = (trial, depth)
      }
    }
    if effort.isExhausted {
      recordExhaustion(at: json)
    } else if let best, best.depth > 0 || best.trial.reach.isAboutMoreThanKind {
      adopt(best.trial)
    } else {
      recordMismatch(expected: expected, found: json)
    }
    return false
  }
}

extension [String] {
  fileprivate var unique: [String] {
    reduce(into: []) { result, text in
      if !result.contains(text) { result.append(text) }
    }
  }
}

private func describeDiscriminated<Value>(
  _ key: String, _ variants: [Schema<Value>.Variant], _ context: inout ExportContext
) -> JSON {
  if variants.isEmpty { return nothing }
  let outer = context.tags
  defer { context.tags = [] }
  var seen: Set<ByteKey> = []
  let alternatives = variants.compactMap { variant -> JSON? in
    guard seen.insert(ByteKey(variant.tag)).inserted else { return nil }
    context.tags = outer + [ExportContext.Tag(key: key, value: variant.tag)]
    let description = variant.describe(&context)
    return context.withTags(description)
  }
  return ["anyOf": JSON(alternatives)]
}
