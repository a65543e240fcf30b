import StoicJSON

extension Schema {
  /// An object with named members, made into a `Value` by a function such as an initializer.
  ///
  /// The fields are in the order of the function's parameters. All of them are looked at even after one has
  /// failed. Two fields with the same key read the same member, which has to fit both.
  ///
  /// - Parameter unknownKeys: What members that no field names are: nothing, warnings or errors.
  public static func object<each Member>(
    _ make: @escaping @Sendable (repeat each Member) -> Value, unknownKeys: UnknownKeys = .ignore,
    _ fields: repeat Field<each Member>
  ) -> Schema {
    var draft = ObjectPlan.Draft()
    var writers: [MemberWriter<Value>] = []
    var exports: [FieldExport] = []
    repeat draft.add(each fields)
    repeat writers.append(MemberWriter(each fields))
    repeat exports.append(FieldExport(each fields))
    let plan = ObjectPlan(draft, unknownKeys: unknownKeys)
    return Schema(
      expected: "object",
      describe: { [exports] context in describeObject(exports, unknownKeys, &context) },
      read: { json, context, place in
        plan.read(json, &context) { record in
          var taker = Record.Taker(record)
          place.put(make(repeat taker.next((each Member).self)))
        }
      },
      write: { [writers] value, context in
        context.nested { context in
          var members: [(key: String, value: JSON)] = []
          members.reserveCapacity(writers.count)
          for writer in writers {
            if let json = writer.write(value, &context) { members.append((writer.key, json)) }
          }
          return JSON(members)
        }
      })
  }
}

/// How one member of an object is written, its type forgotten.
private struct MemberWriter<Value>: Sendable {
  let key: String
  let write: @Sendable (Value, inout EncodingContext) -> JSON?

  init<Member>(_ field: Schema<Value>.Field<Member>) {
    key = field.key
    let (get, write) = (field.get, field.schema.write)
    self.write = { value, context in write(get(value), &context) }
  }
}
