import StoicJSON

/// What the description of a schema has seen so far: the definitions of schemas that are named.
struct ExportContext {
  /// A schema that is described once and referred to; within a union also by the case that it stands for.
  struct Name: Hashable {
    let schema: ObjectIdentifier
    let tag: Tag?
  }

  /// The member by which a union knows one of its cases.
  struct Tag: Hashable {
    let key: String
    let value: String
  }

  /// How many schemas may be described inside one another: beyond, each of them must be a new one without an end.
  static let depthLimit = 128

  private(set) var definitions: [(key: String, value: JSON)] = []
  private var keys: [Name: String] = [:]
  private var taken: [String: Int] = [:]
  /// The named schemas between here and the array or object around.
  private var open: [Name] = []
  private var depth = 0
  /// The member that the next object has besides its own.
  var tag: Tag?

  /// Describes what is inside an array or an object.
  mutating func inside(_ describe: (inout ExportContext) -> JSON) -> JSON {
    let outer = (open, tag)
    (open, tag) = ([], nil)
    defer { (open, tag) = outer }
    return describe(&self)
  }

  /// A reference to a schema, which is described if it has not been.
  mutating func reference(
    to schema: ObjectIdentifier, called title: String, _ describe: (inout ExportContext) -> JSON
  ) -> JSON {
    let name = Name(schema: schema, tag: tag)
    tag = nil
    // It names itself and nothing else, so no document fits it.
    if open.contains(name) { return nothing }
    if let key = keys[name] { return ["$ref": JSON("#/$defs/\(key)")] }
    if depth == Self.depthLimit { return ["$comment": "described no further"] }
    let key = unusedKey(title)
    keys[name] = key
    let position = definitions.count
    definitions.append((key, nothing))
    open.append(name)
    depth += 1
    tag = name.tag
    let description = describe(&self)
    tag = nil
    depth -= 1
    open.removeLast()
    definitions[position].value = description
    return ["$ref": JSON("#/$defs/\(key)")]
  }

  /// A key for a definition that needs no escape in a pointer and has not been given yet.
  private mutating func unusedKey(_ title: String) -> String {
    let letters = title.unicodeScalars.filter { $0.isASCII && ($0.properties.isAlphabetic || $0 == "_") }
    let stem = letters.isEmpty ? "Schema" : String(String.UnicodeScalarView(letters.prefix(40)))
    let count = taken[stem, default: 0] + 1
    taken[stem] = count
    return count == 1 ? stem : "\(stem)\(count)"
  }
}

/// The schema that no value fits.
let nothing: JSON = false
