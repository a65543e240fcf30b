import StoicJSON

extension Schema {
  /// An object with named members, made into a `Value` by a function such as an initializer.
  ///
  /// The fields are in the order of the function's parameters. Members that no field names are ignored. All
  /// fields are looked at even after one of them has failed.
  public static func object<each Member>(
    _ make: @escaping @Sendable (repeat each Member) -> Value, _ fields: repeat Field<each Member>
  ) -> Schema {
    var exports: [FieldExport] = []
    repeat exports.append(FieldExport(each fields))
    return Schema(
      expected: "object", export: objectExport(of: exports),
      read: { json, context in
        guard let object = json.object else {
          context.recordMismatch(expected: "object", found: json)
          return nil
        }
        let members = (repeat (each fields).read(from: object, &context))
        for isThere in repeat isPresent(each members) {
          if !isThere { return nil }
        }
        // Not nil: the loop above has just looked.
        return make(repeat (each members).unsafelyUnwrapped)
      },
      write: { value in
        var members: [(key: String, value: JSON)] = []
        repeat (each fields).write(value, to: &members)
        return JSON(members)
      })
  }
}

private func isPresent<Wrapped>(_ value: Wrapped?) -> Bool {
  value != nil
}

extension Schema.Field {
  fileprivate func read(from object: JSON.Object, _ context: inout DecodingContext) -> Member? {
    let mark = context.mark
    defer { context.prepend(.key(key), since: mark) }
    if let json = object[key] { return schema.read(json, &context) }
    if let missing = schema.missing { return missing() }
    context.record(.missing, "expected \(schema.expected), found nothing")
    return nil
  }

  fileprivate func write(_ value: Value, to members: inout [(key: String, value: JSON)]) {
    if let json = schema.write(get(value)) { members.append((key, json)) }
  }
}
