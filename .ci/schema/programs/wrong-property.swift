import StoicSchema

struct User {
  let id: Int
  let name: String
}

let schema: Schema<User> = .object(
  User.init,
  .field("id", \.id, .int),
  .field("name", \.nmae, .string))  // wrong
