import StoicJSON

extension Schema {
  /// One member of an object: its key, where its value is in the model, and its own schema.
  public struct Field<Member>: Sendable {
    let key: String
    let schema: Schema<Member>
    let get: @Sendable (Value) -> Member

    /// A member that must be there, unless its schema is ``Schema/optional(_:)``.
    public static func field(
      _ key: String, _ property: any KeyPath<Value, Member> & Sendable, _ schema: Schema<Member>
    ) -> Field {
      Field(key: key, schema: schema, get: { $0[keyPath: property] })
    }

    /// A member that has a value when it is missing; that is a repair.
    ///
    /// A member that is null is not missing. The value is always written.
    public static func field(
      _ key: String, _ property: any KeyPath<Value, Member> & Sendable, _ schema: Schema<Member>,
      default value: Member
    ) -> Field where Member: Sendable {
      Field(key: key, schema: schema.withDefault(value), get: { $0[keyPath: property] })
    }

    /// A member that may be missing or null, both of which are nil; nil is left out when encoding.
    public static func optional<Wrapped>(
      _ key: String, _ property: any KeyPath<Value, Member> & Sendable, _ schema: Schema<Wrapped>
    ) -> Field where Member == Wrapped? {
      Field(key: key, schema: .optional(schema), get: { $0[keyPath: property] })
    }

    /// A member of a patch, which may be missing, null or a value, each with a meaning of its own.
    public static func patch<Wrapped>(
      _ key: String, _ property: any KeyPath<Value, Member> & Sendable, _ schema: Schema<Wrapped>
    ) -> Field where Member == Patch<Wrapped> {
      Field(key: key, schema: .patch(schema), get: { $0[keyPath: property] })
    }
  }
}

extension Schema where Value: Sendable {
  fileprivate func withDefault(_ value: Value) -> Schema {
    Schema(
      expected: expected,
      describe: { context in
        var encoding = EncodingContext()
        let export = describe(&context)
        guard let json = write(value, &encoding) else { return export }
        return allOf(export, ["default": json])
      },
      missing: { object, context, place in
        context.record(
          .defaulted, as: .repair, offset: object.start, .sentence("missing, so the default is used"))
        place.put(value)
        return true
      },
      read: read, write: { value, context in write(value, &context) ?? .null })
  }
}
