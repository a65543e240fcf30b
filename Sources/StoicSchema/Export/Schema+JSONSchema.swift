public import StoicJSON

extension Schema {
  /// The schema as a JSON Schema document, draft 2020-12.
  public var jsonSchema: JSON {
    let dialect = (key: "$schema", value: JSON("https://json-schema.org/draft/2020-12/schema"))
    return JSON([dialect] + (export.object.map(Array.init) ?? []))
  }
}

/// What the export of an object needs to know of one of its fields.
struct FieldExport {
  let key: String
  let schema: JSON
  let isRequired: Bool

  init<Value, Member>(_ field: Schema<Value>.Field<Member>) {
    key = field.key
    schema = field.schema.export
    isRequired = field.schema.missing == nil
  }
}

func objectExport(of fields: [FieldExport]) -> JSON {
  var members: [(key: String, value: JSON)] = [
    ("type", "object"),
    ("properties", JSON(fields.map { (key: $0.key, value: $0.schema) })),
  ]
  let required = fields.filter(\.isRequired).map { JSON($0.key) }
  if !required.isEmpty { members.append(("required", JSON(required))) }
  return JSON(members)
}

/// The schema that accepts null as well: null becomes one of its types, and one of its cases.
func nullableExport(of export: JSON) -> JSON {
  guard let object = export.object else { return export }
  return JSON(
    object.map { member in
      guard member.key == "type" || member.key == "enum" else { return member }
      let choices = member.value.array ?? [member.value]
      let null: JSON = member.key == "type" ? "null" : .null
      return (key: member.key, value: JSON(choices.filter { $0 != null } + [null]))
    })
}
