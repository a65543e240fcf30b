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
      guard !bytes.isFolded(at: start) else { throw .malformed }
      let beginning = start
      let line = try bytes.line(from: &start)
      guard let colon = bytes.firstPlace(of: UInt8(ascii: ":"), in: line) else { throw .malformed }
      // A blank before the colon is no part of a name, nor may it be dropped (RFC 9112, section 5.1).
      let name = bytes.fieldText(beginning..<colon)
      guard name.isToken else { throw .malformed }
      let value = bytes.trimming((colon + 1)..<line.upperBound)
      guard bytes.isFolded(at: start) else {
        fields.append(Field(name, bytes.fieldText(value)))
        continue
      }
      var unfolded = Array(bytes[value])
      while bytes.isFolded(at: start) {
        unfolded.append(UInt8(ascii: " "))
        unfolded += bytes[try bytes.line(from: &start)]
      }
      fields.append(Field(name, unfolded.fieldText(unfolded.trimming(unfolded.indices))))
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

  /// Whether a line begins here that goes on with the one before.
  fileprivate func isFolded(at place: Int) -> Bool {
    place < count && (self[place] == UInt8(ascii: " ") || self[place] == UInt8(ascii: "\t"))
  }

  /// The line that begins here, without blanks at its ends; moves to the next.
  fileprivate func line(from start: inout Int) throws(TransportError) -> Range<Int> {
    let end = firstPlace(of: UInt8(ascii: "\n"), in: start..<endIndex) ?? endIndex
    let line = trimming(start..<end)
    // A carriage return that ends no line has been used to forge one.
    guard firstPlace(of: 0, in: line) == nil, firstPlace(of: 13, in: line) == nil else { throw .malformed }
    start = end + 1
    return line
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
