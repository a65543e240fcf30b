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

/// Everything that is said of a text, each as `severity code path @offset`.
func findings<Value>(of schema: Schema<Value>, in text: String) -> [String] {
  schema.decodeReporting(Array(text.utf8)).issues.map { issue in
    "\(issue.severity) \(issue.code) \(issue.path) @\(issue.offset.map { "\($0)" } ?? "-")"
  }
}

/// The messages of the errors.
func messages<Value>(of schema: Schema<Value>, in text: String) -> [String] {
  schema.decodeReporting(Array(text.utf8)).errors.map(\.message)
}

/// The value of a text, or nil.
func value<Value>(of schema: Schema<Value>, in text: String) -> Value? {
  schema.decodeReporting(Array(text.utf8)).value
}

enum Shape: Equatable {
  struct Circle: Equatable {
    let radius: Double
  }

  struct Square: Equatable {
    let side: Int
  }

  case circle(Circle)
  case square(Square)
  case many([Shape])

  static let schema: Schema<Shape> = .discriminated("type", variants)

  static let variants: [Schema<Shape>.Variant] = [
    .variant(
      "circle", .object(Circle.init, unknownKeys: .refuse, .field("radius", \.radius, .double)), Shape.circle
    ) { if case .circle(let circle) = $0 { circle } else { nil } },
    .variant("square", .object(Square.init, .field("side", \.side, .int)), Shape.square) {
      if case .square(let square) = $0 { square } else { nil }
    },
    .variant(
      "many", .object({ $0 }, .field("shapes", \.self, .array(.lazy(Shape.schema)))), Shape.many
    ) { if case .many(let shapes) = $0 { shapes } else { nil } },
  ]
}

/// A number, a text, or a list of them.
enum Loose: Equatable {
  case number(Int)
  case text(String)
  case note(Note)
  case list([Loose])

  static let schema: Schema<Loose> = .oneOf([
    .variant("number", .int, Loose.number) { if case .number(let number) = $0 { number } else { nil } },
    .variant("text", .string, Loose.text) { if case .text(let text) = $0 { text } else { nil } },
    .variant("note", Note.schema, Loose.note) { if case .note(let note) = $0 { note } else { nil } },
    .variant("list", .array(.lazy(Loose.schema)), Loose.list) {
      if case .list(let list) = $0 { list } else { nil }
    },
  ])
}

struct Folder: Equatable {
  let name: String
  let folders: [Folder]

  static let schema: Schema<Folder> = .object(
    Folder.init, .field("name", \.name, .string),
    .field("folders", \.folders, .array(.lazy(Folder.schema))))
}
