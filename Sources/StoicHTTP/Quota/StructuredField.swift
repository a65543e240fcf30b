/// A structured field as far as quotas need it: a list of items, or a dictionary of them, with parameters (RFC 9651).
///
/// What is not written by the letter is no field at all. Inner lists are not read, since no quota has one.
package struct StructuredField: Hashable, Sendable {
  /// One value.
  package enum Value: Hashable, Sendable {
    /// A whole number of at most fifteen digits.
    case integer(Int)
    /// A string, its escapes undone.
    case string(String)
    /// A value of any other type: a token, a decimal, bytes, a date, a boolean.
    case other
  }

  /// One member: the key in a dictionary, the value, and its parameters, of which the last one of a name counts.
  package struct Member: Hashable, Sendable {
    package let key: String?
    package let value: Value
    package let parameters: [String: Value]
  }

  package let members: [Member]

  /// Reads a field; nil where it is none, or has more than 64 members.
  ///
  /// - Parameter text: the value, or those of several lines joined by commas.
  package init?(_ text: String) {
    var scanner = StructuredFieldScanner(text, isDictionary: false)
    if let list = scanner.members() {
      members = list
      return
    }
    scanner = StructuredFieldScanner(text, isDictionary: true)
    guard let dictionary = scanner.members() else { return nil }
    members = dictionary
  }

  static let limit = 64
}
