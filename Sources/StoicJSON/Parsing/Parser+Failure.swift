extension Parser {
  /// The failure at the current position; when that is the end of the text, the end is the reason.
  func failure(_ reason: JSONError.Reason) -> Failure {
    position < text.count
      ? Failure(reason: reason, offset: position) : Failure(reason: .unexpectedEnd, offset: text.count)
  }

  func failure(_ reason: JSONError.Reason, at offset: Int) -> Failure {
    Failure(reason: reason, offset: offset)
  }

  /// The failure of what follows a value; `1.2.3` and the like are blamed on the number.
  func failureAfterValue(_ reason: JSONError.Reason) -> Failure {
    if text[position] == UInt8(ascii: "."), position > 0,
      UInt8(ascii: "0")...UInt8(ascii: "9") ~= text[position - 1]
    {
      var failure = failure(.invalidNumber, at: tape.offset(at: words - Layout.scalarSize))
      failure.isInLastValue = true
      return failure
    }
    var failure = failure(reason)
    failure.isAfterValue = true
    return failure
  }

  /// The failure where a value is expected and no word that JSON knows begins.
  func noWord() -> Failure {
    for word in ["null", "true", "false"] as [StaticString] {
      let rest = text.view(at: position, count: text.count - position)
      if !rest.isEmpty, rest.count < word.utf8CodeUnitCount, "\(word)".utf8.starts(with: rest) {
        return failure(.unexpectedEnd, at: text.count)
      }
    }
    return failure(.expectedValue)
  }

  /// The error of a failure: with its place, and with a duplicate key instead if there is one before it.
  ///
  /// Objects look for duplicates when they are closed. Those that are still open do it here, so that the
  /// error is always the first thing that is wrong.
  func error(_ failure: Failure, in source: ByteView) -> JSONError {
    var open: [(header: Int, count: Int)] = []
    var header = container
    for level in 0..<depth {
      let state = Int(truncatingIfNeeded: tape[header + 3])
      open.append((header, level == 0 ? count : state >> 16))
      header = Int(truncatingIfNeeded: tape[header + 2])
    }
    open.reverse()
    var location: [PathStep] = []
    for (level, frame) in open.enumerated() {
      let isInnermost = level == open.count - 1
      if !allowsDuplicateKeys,
        let key = firstDuplicate(frame.header, isInnermost ? words : open[level + 1].header)
      {
        let offset = tape.offset(at: key) - 1
        return JSONError(
          reason: .duplicateKey, offset: offset, in: source, location: location + [.key(string(at: key))])
      }
      if let step = step(frame.header, frame.count, failure, isInnermost) { location.append(step) }
    }
    return JSONError(reason: failure.reason, offset: failure.offset, in: source, location: location)
  }

  /// The step to what has begun in an open array or object and has not ended.
  private func step(_ header: Int, _ seen: Int, _ failure: Failure, _ isInnermost: Bool) -> PathStep? {
    let count = isInnermost && failure.isInLastValue ? seen - 1 : seen
    if tape.tag(at: header) == .array {
      return isInnermost && failure.isAfterValue ? nil : .index(count)
    }
    var key = header + Layout.headerSize
    for _ in 0..<count {
      key += Layout.scalarSize
      key += tape.size(at: key)
    }
    return key < words ? .key(string(at: key)) : nil
  }

  /// The first key of an open object that has come before in it.
  private func firstDuplicate(_ header: Int, _ end: Int) -> Int? {
    guard tape.tag(at: header) == .object else { return nil }
    var seen: Set<ByteKey> = []
    var key = header + Layout.headerSize
    while key < end {
      if !seen.insert(ByteKey(string(at: key))).inserted { return key }
      key += Layout.scalarSize
      if key < end { key += tape.size(at: key) }
    }
    return nil
  }

  private func string(at position: Int) -> String {
    text.view(at: tape.offset(at: position), count: tape.length(at: position)).string
  }
}
