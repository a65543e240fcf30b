extension Parser {
  /// Looks for duplicate keys in the object that ends here, and gives a wide one its table.
  ///
  /// Returns where the table begins, counted from the header, or 0.
  @inline(__always) mutating func closeObject() throws(Failure) -> Int {
    if count <= Layout.scanLimit {
      if !hasDuplicateAmongFew() { return 0 }
    } else if let table = indexMembers() {
      return table
    }
    guard allowsDuplicateKeys else { throw failure(.duplicateKey, at: tape.offset(at: container)) }
    mergeDuplicates()
    return count > Layout.scanLimit ? indexMembers() ?? 0 : 0
  }

  /// Gives the array that ends here a table of its elements' positions.
  mutating func indexValues() -> Int {
    reserve(count + Layout.headerSize + Layout.scalarSize)
    let table = words
    var position = container + Layout.headerSize
    for index in 0..<count {
      tape[table + index] = UInt64(truncatingIfNeeded: position - container)
      position += tape.size(at: position)
    }
    meter.add(count)
    words += count
    return table - container
  }

  /// Compares the keys of a small object, each with each.
  ///
  /// The free end of the tape holds a signature of each key and its position. Different signatures mean
  /// different keys.
  @inline(__always) private mutating func hasDuplicateAmongFew() -> Bool {
    reserve(2 * Layout.scanLimit)
    meter.add(count)
    var key = container &+ Layout.headerSize
    var index = 0
    while true {
      let length = tape.length(at: key)
      tape[words &+ index] = signature(tape.offset(at: key), length)
      tape[words &+ Layout.scanLimit &+ index] = UInt64(truncatingIfNeeded: key)
      index &+= 1
      if index == count { break }
      key &+= Layout.scalarSize
      key &+= tape.size(at: key)
    }
    for index in 1..<count {
      let signature = tape[words &+ index]
      var matches = 0
      for other in 0..<index {
        // Without a branch, so that the compiler may compare several at once.
        matches &+= tape[words &+ other] == signature ? 1 : 0
      }
      if matches > 0, confirmDuplicate(index) { return true }
    }
    return false
  }

  @inline(never) private mutating func confirmDuplicate(_ index: Int) -> Bool {
    (0..<index).contains { other in
      tape[words + other] == tape[words + index]
        && isSameKey(key(words + Layout.scanLimit + other), key(words + Layout.scanLimit + index))
    }
  }

  private func key(_ scratch: Int) -> Int { Int(truncatingIfNeeded: tape[scratch]) }

  private mutating func isSameKey(_ left: Int, _ right: Int) -> Bool {
    meter.add(1 + tape.length(at: left) / 8)
    return text.view(at: tape.offset(at: left), count: tape.length(at: left))
      .hasSameBytes(as: text.view(at: tape.offset(at: right), count: tape.length(at: right)))
  }

  /// The first and the last eight bytes and the length, folded.
  @inline(__always) private func signature(_ offset: Int, _ length: Int) -> UInt64 {
    let first = text.word(at: offset)
    let salt = UInt64(truncatingIfNeeded: length) &* 0x9E37_79B9_7F4A_7C15
    if length <= 8 { return first & Words.mask(length) &+ salt }
    return first &+ salt ^ text.word(at: offset &+ length &- 8) &* 0xD6E8_FEB8_6659_FD93
  }

  /// Writes the table of a wide object, unless it has a key twice: then returns nil and leaves no table.
  private mutating func indexMembers() -> Int? {
    let table = Table(start: words, count: count)
    reserve(table.objectSize + Layout.headerSize + Layout.scalarSize)
    for slot in table.start + count..<table.start + table.objectSize {
      tape[slot] = 0
    }
    meter.add(table.objectSize)
    let hash = KeyHash.process
    var key = container &+ Layout.headerSize
    for member in 0..<count {
      tape[table.start &+ member] = UInt64(truncatingIfNeeded: key &- container)
      guard insert(key, member, hash, into: table) else { return nil }
      key &+= Layout.scalarSize
      key &+= tape.size(at: key)
    }
    words += table.objectSize
    return table.start - container
  }

  @inline(__always) private mutating func insert(
    _ key: Int, _ member: Int, _ keyHash: KeyHash, into table: Table
  ) -> Bool {
    let offset = tape.offset(at: key)
    let length = tape.length(at: key)
    let hash = keyHash.hash(length) { text.word(at: offset &+ $0) }
    meter.add(1 &+ length &>> 3)
    var slot = table.slot(hash)
    while case let content = tape[slot], content != 0 {
      meter.add(1)
      if Table.mayHold(content, hash) {
        let other = Int(truncatingIfNeeded: tape[table.start &+ Table.member(content)]) &+ container
        if isSameKey(key, other) { return false }
      }
      slot = table.slot(after: slot)
    }
    tape[slot] = Table.content(member: member, hash: hash)
    return true
  }

  /// Leaves of members with the same key one: the last value, in the place of the first.
  private mutating func mergeDuplicates() {
    var places: [ByteKey: Int] = [:]
    var members: [(key: Int, value: Int)] = []
    var key = container + Layout.headerSize
    for _ in 0..<count {
      let value = key + Layout.scalarSize
      let name = ByteKey(text.view(at: tape.offset(at: key), count: tape.length(at: key)).string)
      if let place = places[name] {
        members[place].value = value
      } else {
        places[name] = members.count
        members.append((key, value))
      }
      key = value + tape.size(at: value)
    }
    var rebuilt: [UInt64] = []
    height = 0
    for (key, value) in members {
      rebuilt += [tape[key], tape[key + 1]]
      rebuilt += (value..<value + tape.size(at: value)).map { tape[$0] }
      if tape.tag(at: value).isContainer { height = max(height, Layout.height(tape[value + 1])) }
    }
    meter.add(count + rebuilt.count)
    words = container + Layout.headerSize
    for word in rebuilt {
      tape[words] = word
      words += 1
    }
    count = members.count
  }
}
