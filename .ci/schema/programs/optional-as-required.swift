import StoicSchema

struct User {
  let id: Int
  let nick: String?
}

let schema: Schema<User> = .object(
  User.init,
  .field("id", \.id, .int),
  .field("nick", \.nick, .string))  // wrong
