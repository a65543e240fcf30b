import StoicSchema

struct User {
  let id: Int
  let name: String
  let tags: [String]
}

let schema: Schema<User> = .object(
  User.init,
  .field("name", \.name, .string),  // wrong
  .field("id", \.id, .int),
  .field("tags", \.tags, .array(.string)))
