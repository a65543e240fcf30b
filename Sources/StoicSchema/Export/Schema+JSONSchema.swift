public import StoicJSON

extension Schema {
  /// The schema as a JSON Schema document, draft 2020-12, which accepts the same documents.
  ///
  /// What JSON Schema cannot say is left open: the rules of ``refine(_:_:)`` and of a conversion that may
  /// fail, the limits of depth and effort, and numbers that a `Double` or a `Decimal` does not hold exactly.
  /// Patterns are those of ECMA-262 with the flag `u`. Schemas that are named by `lazy` become definitions.
  public var jsonSchema: JSON {
    var context = ExportContext()
    let description = describe(&context)
    var members: [(key: String, value: JSON)] = [
      ("$schema", JSON("https://json-schema.org/draft/2020-12/schema"))
    ]
    if let own = description.object { members += own.map { $0 } } else { members.append(("not", [:])) }
    let definitions = context.describeAll()
    if !definitions.isEmpty { members.append(("$defs", JSON(definitions))) }
    return JSON(members)
  }
}

/// What the export of an object needs to know of one of its fields.
struct FieldExport: Sendable {
  let key: String
  let describe: @Sendable (inout ExportContext) -> JSON
  let isRequired: Bool

  init<Value, Member>(_ field: Schema<Value>.Field<Member>) {
    key = field.key
    describe = field.schema.describe
    isRequired = field.schema.missing == nil
  }
}

func describeObject(
  _ fields: [FieldExport], _ unknownKeys: UnknownKeys, _ context: inout ExportContext
) -> JSON {
  let tags = context.tags
  context.tags = []
  return context.inside { context in
    var properties: [(key: String, value: JSON)] = []
    var required: [String] = []
    func add(_ key: String, _ schema: JSON) {
      if let position = properties.firstIndex(where: { hasSameBytes($0.key, key) }) {
        properties[position].value = ["allOf": [properties[position].value, schema]]
      } else {
        properties.append((key, schema))
      }
    }
    func require(_ key: String) {
      if !required.contains(where: { hasSameBytes($0, key) }) { required.append(key) }
    }
    for tag in tags {
      add(tag.key, ["const": JSON(tag.value)])
      require(tag.key)
    }
    for field in fields {
      add(field.key, field.describe(&context))
      if field.isRequired { require(field.key) }
    }
    var members: [(key: String, value: JSON)] = [("type", "object"), ("properties", JSON(properties))]
    if !required.isEmpty { members.append(("required", JSON(required.map { JSON($0) }))) }
    if unknownKeys == .refuse { members.append(("additionalProperties", false)) }
    return JSON(members)
  }
}

func describeDictionary<Element>(of element: Schema<Element>, _ context: inout ExportContext) -> JSON {
  let isTagged = !context.tags.isEmpty
  // An object without fields says the tags of the unions around it, if there are any.
  let object = describeObject([], .ignore, &context).object.map(Array.init) ?? []
  let values = context.inside { context in element.describe(&context) }
  return JSON(
    object.filter { isTagged || $0.key == "type" } + [(key: "additionalProperties", value: values)])
}

/// The schema that has more to say: in one object if none of its members would be lost.
func allOf(_ export: JSON, _ more: JSON) -> JSON {
  guard let object = export.object, let added = more.object else { return ["allOf": [export, more]] }
  let isRepeated = added.contains { object[$0.key] != nil }
  return isRepeated ? ["allOf": [export, more]] : JSON(Array(object) + Array(added))
}

/// What speaks of values of one type only, and so leaves null alone where null is one of the types.
private let aboutOneType: Set<String> = [
  "$comment", "type", "enum", "items", "properties", "required", "additionalProperties", "minimum", "maximum",
  "exclusiveMaximum", "minLength", "maxLength", "pattern", "format", "minItems", "maxItems",
  "minProperties", "maxProperties",
]

/// The schema that accepts null as well.
func orNull(_ export: JSON) -> JSON {
  guard let object = export.object, !object.isEmpty else {
    return export == false ? ["type": "null"] : export
  }
  guard object["type"] != nil, object.keys.allSatisfy(aboutOneType.contains) else {
    if object.count == 1, let alternatives = export["anyOf"]?.array {
      let null: JSON = ["type": "null"]
      return alternatives.contains(null) ? export : ["anyOf": JSON(alternatives + [null])]
    }
    return ["anyOf": [export, ["type": "null"]]]
  }
  return JSON(
    object.map { member in
      guard member.key == "type" || member.key == "enum" else { return member }
      let choices = member.value.array ?? [member.value]
      let null: JSON = member.key == "type" ? "null" : .null
      return (key: member.key, value: JSON(choices.filter { $0 != null } + [null]))
    })
}
