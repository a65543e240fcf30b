/// Why a text is not the JSON that this module accepts, and where.
///
/// The description quotes nothing from the text except the JSON Pointer, escaped and shortened.
public struct JSONError: Error, Sendable, Hashable {
  /// The position of what cannot be accepted, counted from 0: of a malformed number or escape its first byte, of anything
  /// else the first wrong byte; the length at an early end.
  public let offset: Int

  /// The line of that byte, counted from 1; lines end with a line feed.
  public let line: Int

  /// The place in its line, counted from 1 in Unicode scalars; a byte order mark is not counted.
  public let column: Int

  /// What is wrong.
  public let reason: Reason

  /// The keys and indices that lead to the innermost value or member that had begun.
  package let location: [PathStep]

  /// The JSON Pointer (RFC 6901) of the innermost value or member that had begun, unshortened.
  public var pointer: String {
    pointerText(of: location)
  }

  init(reason: Reason, offset: Int, in bytes: ByteView, location: [PathStep]) {
    self.reason = reason
    self.offset = offset
    self.location = location
    var line = 1
    var column = 1
    for byte in bytes.prefix(offset).dropFirst(bytes.startsWithByteOrderMark ? 3 : 0) {
      if byte == UInt8(ascii: "\n") {
        line += 1
        column = 1
      } else if byte & 0xC0 != 0x80 {
        column += 1
      }
    }
    self.line = line
    self.column = column
  }
}

extension JSONError: CustomReflectable {
  /// The description and nothing else: `dump` shows no more of the text than `print`.
  public var customMirror: Mirror { Mirror(self, children: ["error": description]) }
}

extension JSONError: CustomStringConvertible {
  /// One line such as `duplicate key at line 3, column 7 (offset 41), in /users/0`.
  public var description: String {
    let place = location.isEmpty ? "" : ", in \(displayText(pointer, limit: 120))"
    return "\(reason) at line \(line), column \(column) (offset \(offset))\(place)"
  }
}
