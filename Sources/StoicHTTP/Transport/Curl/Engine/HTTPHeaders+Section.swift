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
    fields.reserveCapacity(12)
    var start = bytes.startIndex
    while start < bytes.endIndex {
      let end = bytes.firstPlace(of: UInt8(ascii: "\n"), in: start..<bytes.endIndex) ?? bytes.endIndex
      let line = bytes.trimming(start..<end)
      // A carriage return that ends no line has been used to forge one.
      guard bytes.firstPlace(of: 0, in: line) == nil, bytes.firstPlace(of: 13, in: line) == nil else {
        throw .malformed
      }
      if bytes[start] == UInt8(ascii: " ") || bytes[start] == UInt8(ascii: "\t") {
        guard let last = fields.popLast() else { throw .malformed }
        fields.append(Field(last.name, String("\(last.value) \(bytes.fieldText(line))".trimmingBlanks)))
      } else {
        guard let colon = bytes.firstPlace(of: UInt8(ascii: ":"), in: line) else { throw .malformed }
        let name = bytes.fieldText(bytes.trimming(line.lowerBound..<colon))
        guard name.isToken else { throw .malformed }
        fields.append(Field(name, bytes.fieldText(bytes.trimming((colon + 1)..<line.upperBound))))
      }
      start = end + 1
    }
    self.init(fields)
  }
}

extension TransportError {
  fileprivate static var malformed: TransportError { TransportError(.badServerResponse) }
}

extension [UInt8] {
  fileprivate func firstPlace(of byte: UInt8, in range: Range<Int>) -> Int? {
    var place = range.lowerBound
    while place < range.upperBound {
      if self[place] == byte { return place }
      place += 1
    }
    return nil
  }

  /// A range without blanks at its ends, nor what ends a line.
  fileprivate func trimming(_ range: Range<Int>) -> Range<Int> {
    var (lower, upper) = (range.lowerBound, range.upperBound)
    while lower < upper, self[lower].isBlank { lower += 1 }
    while upper > lower, self[upper - 1].isBlank { upper -= 1 }
    return lower..<upper
  }

  fileprivate func fieldText(_ range: Range<Int>) -> String {
    let bytes = self[range]
    return String(validating: bytes, as: UTF8.self)
      ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
  }
}

extension UInt8 {
  fileprivate var isBlank: Bool { self == 32 || self == 9 || self == 13 }
}
