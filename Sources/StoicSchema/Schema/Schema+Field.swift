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

    /// A member that may be missing or null, both of which are nil; nil is left out when encoding.
    public static func optional<Wrapped>(
      _ key: String, _ property: any KeyPath<Value, Member> & Sendable, _ schema: Schema<Wrapped>
    ) -> Field where Member == Wrapped? {
      Field(key: key, schema: .optional(schema), get: { $0[keyPath: property] })
    }
  }
}
