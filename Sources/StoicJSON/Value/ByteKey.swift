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
    text.utf8.withByteView(&hasher) { hasher, bytes in bytes.hash(into: &hasher) }
  }
}

package func hasSameBytes(_ left: String, _ right: String) -> Bool {
  left.utf8.count == right.utf8.count && left.utf8.elementsEqual(right.utf8)
}

/// The order of strings by their UTF-8 bytes, which is also the order of their Unicode scalars.
package func precedesInBytes(_ left: String, _ right: String) -> Bool {
  left.utf8.lexicographicallyPrecedes(right.utf8)
}

/// The order of strings by their UTF-16 code units, in which U+E000...U+FFFF come after all that lies above.
func precedesInUTF16(_ left: String, _ right: String) -> Bool {
  left.utf16.lexicographicallyPrecedes(right.utf16)
}
