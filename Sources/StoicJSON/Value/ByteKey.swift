/// A string that equals another only when their UTF-8 bytes are the same.
///
/// Swift's own `==` calls a composed and a decomposed "é" equal; as JSON keys they are two.
package struct ByteKey: Hashable, Sendable {
  package let text: String

  package init(_ text: String) {
    self.text = text
  }

  package static func == (left: ByteKey, right: ByteKey) -> Bool {
    hasSameBytes(left.text, right.text)
  }

  package func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}

package func hasSameBytes(_ left: String, _ right: String) -> Bool {
  left.utf8.count == right.utf8.count && left.utf8.elementsEqual(right.utf8)
}

/// The order of strings by their UTF-8 bytes, which is also the order of their Unicode scalars.
package func precedesInBytes(_ left: String, _ right: String) -> Bool {
  left.utf8.lexicographicallyPrecedes(right.utf8)
}
