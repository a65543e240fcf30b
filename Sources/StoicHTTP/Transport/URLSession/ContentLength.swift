/// The length that a response announces (RFC 9110, section 8.6).
enum ContentLength: Equatable {
  /// None is announced.
  case unstated
  /// That many bytes; a number too large to count is the largest.
  case bytes(Int)
  /// Two lengths, or something that is no length.
  case invalid

  /// Reads the field's value; equal lengths, which something on the way may have joined, are one.
  init(_ value: String?) {
    guard let value else {
      self = .unstated
      return
    }
    let lengths = Set(value.split(separator: ",", omittingEmptySubsequences: false).map(\.trimmingBlanks))
    guard lengths.count == 1, let length = lengths.first, !length.isEmpty,
      length.utf8.allSatisfy({ (48...57).contains($0) })
    else {
      self = .invalid
      return
    }
    self = .bytes(Int(length) ?? .max)
  }
}
