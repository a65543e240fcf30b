import StoicSchema

struct User {
  let id: Int
  let name: String
  let tags: [String]
}

let schema: Schema<User> = .object(
  User.init,
  .field("id", \.id, .int),
  .field("name", \.name, .int),  // wrong
  .field("tags", \.tags, .array(.string)))
