/// What an entry of the tape is, in the lowest eight bits of its first word.
///
/// A value that is not nested takes two words: the tag with the length of its text in bytes, and the offset
/// of that text. An array or an object takes four, then its elements, or keys and values in turn, then its
/// tables if it has any (see `ObjectIndex`). The four are: the tag with the number of elements or members;
/// the offset with the height; the size in words, header and tables included; where the tables begin,
/// counted from the header, or 0. Nothing counts from the tape's start, so that an entry can be moved.
struct Tag: Equatable {
  let bits: UInt64

  @inline(__always) init(bits: UInt64) {
    self.bits = bits
  }

  /// The tag of an entry with this first word.
  @inline(__always) init(of word: UInt64) {
    bits = word & 0xFF
  }

  static var null: Tag { Tag(bits: 0) }
  static var `false`: Tag { Tag(bits: 1) }
  static var `true`: Tag { Tag(bits: 2) }
  /// A number without a fraction and an exponent.
  static var integer: Tag { Tag(bits: 3) }
  static var decimal: Tag { Tag(bits: 4) }
  /// A string that can be written as it is.
  static var string: Tag { Tag(bits: 5) }
  /// A string that still has its escapes.
  static var escapedString: Tag { Tag(bits: 6) }
  /// A key that had escapes and may need some when it is written.
  static var decodedString: Tag { Tag(bits: 7) }
  static var array: Tag { Tag(bits: 8) }
  static var object: Tag { Tag(bits: 9) }

  var isContainer: Bool {
    @inline(__always) get { bits >= Tag.array.bits }
  }
}

/// How the words of an entry are cut.
enum Layout {
  /// The words of an array's or object's header.
  static var headerSize: Int { 4 }
  /// The words of any other entry.
  static var scalarSize: Int { 2 }
  /// Arrays and objects of up to this many values are searched without a table.
  static var scanLimit: Int { 16 }

  @inline(__always) static func length(_ word: UInt64) -> Int { Int(truncatingIfNeeded: word &>> 8) }

  /// The offset of the text, in 40 bits: more than any memory holds.
  @inline(__always) static func offset(_ word: UInt64) -> Int {
    Int(truncatingIfNeeded: word & 0xFF_FFFF_FFFF)
  }

  @inline(__always) static func height(_ word: UInt64) -> Int { Int(truncatingIfNeeded: word &>> 40) }

  @inline(__always) static func first(_ tag: Tag, length: Int) -> UInt64 {
    tag.bits | UInt64(truncatingIfNeeded: length) &<< 8
  }

  @inline(__always) static func second(offset: Int, height: Int) -> UInt64 {
    UInt64(truncatingIfNeeded: offset) | UInt64(truncatingIfNeeded: height) &<< 40
  }
}

extension WordBlock {
  @inline(__always) func tag(at position: Int) -> Tag { Tag(of: self[position]) }

  /// The length of the text, or the number of elements or members.
  @inline(__always) func length(at position: Int) -> Int { Layout.length(self[position]) }

  @inline(__always) func offset(at position: Int) -> Int { Layout.offset(self[position &+ 1]) }

  /// The words that an entry takes, with all that is in it.
  @inline(__always) func size(at position: Int) -> Int {
    tag(at: position).isContainer
      ? Int(truncatingIfNeeded: self[position &+ 2]) : Layout.scalarSize
  }
}
