import StoicJSON

extension Schema where Value == Int {
  /// An integer, or one in a string: up to 18 digits, a sign, no fraction; the latter is a repair.
  public static var coercedInt: Schema {
    coerced(.int, to: "integer", from: [:], pattern: Pattern(ofProgram: #"-?(?:0|[1-9][0-9]{0,17})"#))
  }
}

extension Schema where Value == Double {
  /// A number, or one in a string: up to 15 digits before and after the point, no exponent; the latter is a
  /// repair.
  public static var coercedDouble: Schema {
    coerced(
      .double, to: "number", from: [:],
      pattern: Pattern(ofProgram: #"-?(?:0|[1-9][0-9]{0,14})(?:\.[0-9]{1,15})?"#))
  }
}

extension Schema where Value == Bool {
  /// A truth value, or a repair: the strings `true` and `false`, the numbers 0 and 1.
  public static var coercedBool: Schema {
    coerced(.bool, to: "boolean", from: ["enum": ["true", "false", 0, 1]], pattern: nil)
  }
}

extension Schema where Value == String {
  /// A string, or a repair: a number as it is spelled, and `true` or `false`.
  public static var coercedString: Schema {
    Schema(
      expected: "string", export: ["type": ["string", "number", "boolean"]],
      read: { json, context, place in
        if let text = json.string {
          place.put(text)
          return true
        }
        guard let text = json.numberText ?? json.bool.map({ $0 ? "true" : "false" }) else {
          context.recordMismatch(expected: "string", found: json)
          return false
        }
        context.recordCoercion(to: "string", json)
        place.put(text)
        return true
      },
      write: { JSON($0) })
  }
}

extension Schema {
  /// A schema that also accepts some strings and numbers, as what they say.
  private static func coerced(
    _ schema: Schema, to kind: String, from other: JSON, pattern: Pattern?
  ) -> Schema {
    let (read, write) = (schema.read, schema.write)
    let alternative = pattern.map { ["type": "string", "pattern": JSON($0.export)] } ?? other
    return Schema(
      expected: kind,
      describe: { context in ["anyOf": [schema.describe(&context), alternative]] },
      read: { json, context, place in
        guard let meant = json.coerced(pattern) else { return read(json, &context, place) }
        context.recordCoercion(to: kind, json)
        return read(meant, &context, place)
      },
      write: write)
  }
}

extension JSON {
  /// What a value of the wrong kind says; nil when it is none of what may be coerced.
  fileprivate func coerced(_ pattern: Pattern?) -> JSON? {
    if let pattern {
      guard let string, pattern.matches(string) else { return nil }
      return try? JSON(parsing: string)
    }
    switch string ?? numberText {
    case "true" where kind == .string: return true
    case "false" where kind == .string: return false
    default: break
    }
    guard kind == .number, let int, int == 0 || int == 1 else { return nil }
    return JSON(int == 1)
  }
}

extension DecodingContext {
  fileprivate mutating func recordCoercion(to kind: String, _ json: JSON) {
    record(
      .coerced, as: .repair, offset: json.start,
      .sentence("read \(json.kind.rawValue) as \(kind)"))
  }
}
