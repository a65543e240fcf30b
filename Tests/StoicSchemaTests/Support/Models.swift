import StoicJSON
import StoicSchema

struct User: Equatable {
  let id: Int
  let name: String
  let tags: [String]
  let nick: String?
}

extension User {
  static let schema: Schema<User> = .object(
    User.init,
    .field("id", \.id, .int), .field("name", \.name, .string),
    .field("tags", \.tags, .array(.string)), .optional("nick", \.nick, .string))
}

struct Item: Equatable {
  let price: Int

  static let schema: Schema<Item> = .object(Item.init, .field("price", \.price, .int))
}

struct Order: Equatable {
  let items: [Item]

  static let schema: Schema<Order> = .object(Order.init, .field("items", \.items, .array(Item.schema)))
}

enum Status: String, CaseIterable {
  case new
  case paid
}

struct Note: Equatable {
  let id: Int
  let note: String?

  static let schema: Schema<Note> = .object(
    Note.init, .field("id", \.id, .int), .optional("note", \.note, .string))
}

/// The issues of decoding a text, each as `code path`; empty when it decodes.
func issues<Value>(of schema: Schema<Value>, in text: String) -> [String] {
  validationFailure(of: schema, in: text)?.issues.map { "\($0.code) \($0.path)" } ?? []
}

/// The failure of decoding a text, or nil when it decodes.
func validationFailure<Value>(of schema: Schema<Value>, in text: String) -> ValidationFailure? {
  do {
    _ = try schema.decode(Array(text.utf8))
    return nil
  } catch {
    return error as? ValidationFailure
  }
}
