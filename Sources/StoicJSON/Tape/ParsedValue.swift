/// A value of a text that has been read.
struct ParsedValue: Sendable {
  let position: Int
  let document: Document

  var tag: Tag { document.tag(at: position) }
  var text: ByteView { document.view(at: position) }
  var string: String { document.string(at: position) }
  var count: Int { document.count(at: position) }

  /// Another value of the same text.
  func at(_ position: Int) -> JSON {
    JSON(.parsed(ParsedValue(position: position, document: document)))
  }

  /// An element of an array.
  func element(_ index: Int) -> JSON {
    at(document.child(index, of: position))
  }

  /// The key and the value of a member of an object.
  func member(_ index: Int) -> (key: String, value: JSON) {
    let key = document.child(index, of: position)
    return (document.string(at: key), at(key + Layout.scalarSize))
  }
}
