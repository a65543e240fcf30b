import StoicSchema

/// What the demo's server knows about a person.
struct User: Sendable, CustomStringConvertible {
  let id: Int
  let name: String
  let roles: [String]

  static let schema: Schema<User> = .object(
    User.init,
    .field("id", \.id, .int),
    .field("name", \.name, .string),
    .field("roles", \.roles, .array(.string)))

  /// A document that fits the schema.
  static let document = #"{"id": 42, "name": "Ada Lovelace", "roles": ["author"]}"#

  var description: String { "user \(id), \(name)" }
}
