import Foundation

extension HTTPHeaders {
  /// The fields of a header section, in order and repeated ones kept apart.
  ///
  /// Values that are not UTF-8 are read as ISO-8859-1, as they were once meant. A line that begins with a blank goes
  /// on with the one before (RFC 9112, section 5.2).
  ///
  /// - Parameter bytes: the lines, each with its end, without the first line and the empty one.
  /// - Throws: ``TransportError`` for a line that is no field.
  init(section bytes: [UInt8]) throws(TransportError) {
    var fields: [Field] = []
    fields.reserveCapacity(16)
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      let text = line.trimmingBlanks
      // No control character but a tab; a carriage return that ends no line has been used to forge one.
      guard !line.dropLast().contains(where: { $0 == 0 || $0 == 13 }), !text.contains(0) else {
        throw .malformed
      }
      if line.first == UInt8(ascii: " ") || line.first == UInt8(ascii: "\t") {
        guard let last = fields.popLast() else { throw .malformed }
        fields.append(Field(last.name, String("\(last.value) \(text.fieldText)".trimmingBlanks)))
        continue
      }
      guard let colon = text.firstIndex(of: UInt8(ascii: ":")) else { throw .malformed }
      let name = text[..<colon].trimmingBlanks.fieldText
      guard name.isToken else { throw .malformed }
      fields.append(Field(name, text[(colon + 1)...].trimmingBlanks.fieldText))
    }
    self.init(fields)
  }
}

extension TransportError {
  fileprivate static var malformed: TransportError { TransportError(.badServerResponse) }
}

extension ArraySlice<UInt8> {
  fileprivate var trimmingBlanks: ArraySlice<UInt8> {
    let isBlank = { (byte: UInt8) in byte == 32 || byte == 9 || byte == 13 }
    guard let start = firstIndex(where: { !isBlank($0) }), let end = lastIndex(where: { !isBlank($0) }) else {
      return []
    }
    return self[start...end]
  }

  fileprivate var fieldText: String {
    String(validating: self, as: UTF8.self)
      ?? String(String.UnicodeScalarView(map { Unicode.Scalar($0) }))
  }
}
