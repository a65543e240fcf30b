import StoicJSON

extension Schema {
  /// A schema that is asked for whenever it is needed, so that it can contain itself.
  ///
  /// ```swift
  /// final class Folder {
  ///   let name: String
  ///   let folders: [Folder]
  ///   init(name: String, folders: [Folder]) { (self.name, self.folders) = (name, folders) }
  ///
  ///   static let schema: Schema<Folder> = .object(
  ///     Folder.init, .field("name", \.name, .string),
  ///     .field("folders", \.folders, .array(.lazy(Folder.schema))))
  /// }
  /// ```
  ///
  /// Keep the schema in a `static let`: one that is made anew each time is slow, and its export stops
  /// somewhere. A document may be 512 levels deep, as everywhere, if the thread's stack has room for them;
  /// otherwise the issue has the code `.tooDeep`. A schema that names itself without a step into an array or
  /// an object fits nothing, with the same code. Where a member may be missing, the schema around has to say
  /// so: `.optional("parent", \.parent, .lazy(…))`.
  public static func lazy(_ schema: @escaping @autoclosure @Sendable () -> Schema) -> Schema {
    lazy { schema() }
  }

  /// A schema that is asked for whenever it is needed, made by a function.
  ///
  /// Among the fields of an object the compiler of Swift 6.3 takes a closure after a leading dot for one that
  /// is not `@Sendable`: there, write `.lazy(Folder.schema)`.
  public static func lazy(_ schema: @escaping @Sendable () -> Schema) -> Schema {
    let later = Later(schema)
    return Schema(
      expected: "value",
      describe: { context in
        context.reference(to: ObjectIdentifier(later), called: "\(Value.self)") { context in
          later.schema.describe(&context)
        }
      },
      read: { json, context, place in
        guard context.nesting.follow() else {
          context.record(
            .tooDeep, offset: json.start, .sentence("expected a schema that does not refer to itself alone"))
          return false
        }
        defer { context.nesting.comeBack() }
        return later.schema.read(json, &context, place)
      },
      write: { value, context in
        context.nested { context in later.schema.write(value, &context) ?? .null }
      })
  }
}

/// What makes a schema, as an object: two references to it are the same schema.
private final class Later<Value>: Sendable {
  private let make: @Sendable () -> Schema<Value>

  init(_ make: @escaping @Sendable () -> Schema<Value>) {
    self.make = make
  }

  var schema: Schema<Value> { make() }
}
