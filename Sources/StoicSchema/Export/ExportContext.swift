import StoicJSON

/// What the description of a schema has met so far: the schemas that are named, to be described once each.
struct ExportContext {
  /// A schema that is described once and referred to; within unions also by the cases that it stands for.
  struct Name: Hashable {
    let schema: ObjectIdentifier
    let tags: [Tag]
  }

  /// The member by which a union knows one of its cases.
  struct Tag: Hashable {
    let key: String
    let value: String
  }

  /// What is described under one key: a schema can say less where it is part of what it names itself.
  private struct Definition: Hashable {
    let name: Name
    let open: Set<Name>
  }

  /// A schema that has been referred to and not been described.
  private struct Pending {
    let position: Int
    let name: Name
    let open: Set<Name>
    let describe: (inout ExportContext) -> JSON
  }

  /// A schema that makes a new one of itself each time has no end; it is described so many times and then no
  /// more.
  private static let definitionLimit = 512

  private var definitions: [(key: String, value: JSON)] = []
  private var pending: [Pending] = []
  private var keys: [Definition: String] = [:]
  private var taken: [String: Int] = [:]
  /// The named schemas between here and the array or object around.
  private var open: Set<Name> = []
  /// The members that the next object has besides its own.
  var tags: [Tag] = []

  /// Describes what is inside an array or an object.
  mutating func inside(_ describe: (inout ExportContext) -> JSON) -> JSON {
    let outer = (open, tags)
    (open, tags) = ([], [])
    defer { (open, tags) = outer }
    return describe(&self)
  }

  /// A reference to a schema, which will be described if it has not been.
  mutating func reference(
    to schema: ObjectIdentifier, called title: String, _ describe: @escaping (inout ExportContext) -> JSON
  ) -> JSON {
    let name = Name(schema: schema, tags: tags)
    tags = []
    // It names itself and nothing else, so no document fits it.
    if open.contains(name) { return nothing }
    let definition = Definition(name: name, open: open)
    if let key = keys[definition] { return ["$ref": JSON("#/$defs/\(key)")] }
    if definitions.count == Self.definitionLimit { return ["$comment": "described no further"] }
    let key = unusedKey(title)
    keys[definition] = key
    pending.append(
      Pending(position: definitions.count, name: name, open: open.union([name]), describe: describe))
    definitions.append((key, nothing))
    return ["$ref": JSON("#/$defs/\(key)")]
  }

  /// Describes all schemas that have been referred to; one after another, so that the stack does not grow.
  mutating func describeAll() -> [(key: String, value: JSON)] {
    while let next = pending.popLast() {
      (open, tags) = (next.open, next.name.tags)
      let description = next.describe(&self)
      definitions[next.position].value = next.name.tags.isEmpty ? description : withTags(description)
    }
    return definitions
  }

  /// A description of one of the cases of a union, which says its tags if it has not.
  ///
  /// An object has taken the tags over; whatever else is described may be no object, and says so now.
  mutating func withTags(_ description: JSON) -> JSON {
    let isSaid = tags.isEmpty && (description["type"] == "object" || description["$ref"] != nil)
    if isSaid { return description }
    return allOf(description, tags.isEmpty ? ["type": "object"] : describeObject([], .ignore, &self))
  }

  /// A key for a definition that needs no escape in a pointer and has not been given yet.
  private mutating func unusedKey(_ title: String) -> String {
    let letters = title.unicodeScalars.filter { $0.isASCII && $0.properties.isAlphabetic }
    let stem = letters.isEmpty ? "Schema" : String(String.UnicodeScalarView(letters.prefix(40)))
    let count = taken[stem, default: 0] + 1
    taken[stem] = count
    return count == 1 ? stem : "\(stem)\(count)"
  }
}

/// The schema that no value fits.
let nothing: JSON = false
