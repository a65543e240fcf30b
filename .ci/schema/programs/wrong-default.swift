import StoicSchema

struct Page {
  let size: Int
  let tags: [String]
}

let schema: Schema<Page> = .object(
  Page.init,
  .field("size", \.size, .int, default: "10"),  // wrong
  .field("tags", \.tags, .array(.string)))
