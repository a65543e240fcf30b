/// A text that has been read: its bytes and the tape of its values.
///
/// Values of the text refer to the whole of it and keep it alive; it is freed at once, without a walk.
final class Document {
  private let text: TextBlock
  private let tape: WordBlock

  init(text: consuming TextBlock, tape: consuming WordBlock) {
    self.text = text
    self.tape = tape
  }

  func tag(at position: Int) -> Tag { tape.tag(at: position) }

  /// The text of a number, of a key, or of a string without its quotes and with its escapes.
  @inline(__always) func view(at position: Int) -> ByteView {
    text.view(at: tape.offset(at: position), count: tape.length(at: position))
  }

  /// The first eight bytes of a text, zeros behind its end.
  @inline(__always) func word(at position: Int) -> UInt64 {
    text.word(at: tape.offset(at: position)) & Words.mask(tape.length(at: position))
  }

  /// A string or a key without escapes, or a number's text.
  func string(at position: Int) -> String {
    let view = view(at: position)
    return tag(at: position) == .escapedString ? EscapedText.string(view) : view.validString
  }

  /// Where the value began in the text that was read, in bytes.
  func offset(at position: Int) -> Int { tape.offset(at: position) }

  /// About how long the text of a value is.
  func textLength(at position: Int) -> Int {
    if position == 0 { return text.count }
    if !tag(at: position).isContainer { return tape.length(at: position) + 2 }
    // An entry of two words stands for about a dozen bytes.
    return 6 * tape.size(at: position)
  }

  /// The number of elements or members.
  func count(at header: Int) -> Int { tape.length(at: header) }

  func height(at position: Int) -> Int {
    tag(at: position).isContainer ? Layout.height(tape[position + 1]) : 0
  }

  /// The position behind an entry and all that is in it.
  @inline(__always) func end(of position: Int) -> Int { position &+ tape.size(at: position) }
}

extension Document {
  /// The position of an element of an array, or of the key of a member of an object.
  func child(_ index: Int, of header: Int) -> Int {
    let isObject = tag(at: header) == .object
    let first = header + Layout.headerSize
    if height(at: header) == 1 {
      return first + index * (isObject ? 2 * Layout.scalarSize : Layout.scalarSize)
    }
    if count(at: header) > Layout.scanLimit {
      return header + Int(truncatingIfNeeded: tape[table(of: header).start + index])
    }
    var position = first
    for _ in 0..<index {
      if isObject { position += Layout.scalarSize }
      position = end(of: position)
    }
    return position
  }

  /// The position of the key of an object's member, and which member it is; nil when there is none.
  func member(_ name: ByteView, of header: Int) -> (key: Int, index: Int)? {
    let count = count(at: header)
    if count > Layout.scanLimit { return memberByHash(name, of: header) }
    var key = header &+ Layout.headerSize
    for index in 0..<count {
      if view(at: key).hasSameBytes(as: name) { return (key, index) }
      key = end(of: key &+ Layout.scalarSize)
    }
    return nil
  }

  private func memberByHash(_ name: ByteView, of header: Int) -> (key: Int, index: Int)? {
    let table = table(of: header)
    let hash = KeyHash.process.hash(name)
    var slot = table.slot(hash)
    while case let content = tape[slot], content != 0 {
      if Table.mayHold(content, hash) {
        let index = Table.member(content)
        let key = header + Int(truncatingIfNeeded: tape[table.start + index])
        if view(at: key).hasSameBytes(as: name) { return (key, index) }
      }
      slot = table.slot(after: slot)
    }
    return nil
  }

  private func table(of header: Int) -> Table {
    Table(start: header + Int(truncatingIfNeeded: tape[header + 3]), count: count(at: header))
  }
}

// Its blocks change no more once it is made.
extension Document: @unchecked Sendable {}
