/// A media type without its parameters, and its charset where one is named (RFC 9110, section 8.3).
struct MediaType: Equatable {
  /// Type and subtype in small letters, such as `application/json`.
  let essence: String
  /// The charset parameter in small letters.
  let charset: String?

  /// Reads a `Content-Type` value; nil when it names no type at all.
  init?(_ value: String) {
    let name = value.prefix { $0 != ";" }
    let essence = name.trimmingBlanks.lowercased()
    guard !essence.isEmpty else { return nil }
    self.essence = essence
    charset =
      value[name.endIndex...].parameters.lazy
      .map { $0.split(separator: "=", maxSplits: 1) }
      .first { $0.count == 2 && $0[0].trimmingBlanks.lowercased() == "charset" }
      .map { $0[1].trimmingBlanks.unquoted.lowercased() }
  }

  /// Whether the type is JSON: `application/json`, or any with the suffix `+json` (RFC 6839, section 3.1).
  var isJSON: Bool {
    let parts = essence.split(separator: "/", omittingEmptySubsequences: false)
    return essence == "application/json"
      || parts.count == 2 && !parts[0].isEmpty && parts[1].hasSuffix("+json")
  }

  /// A type's name for a text: a server may put anything into it.
  static func shown(_ essence: String?) -> String {
    guard let essence else { return "none" }
    let isShowable = essence.utf8.count <= 64 && essence.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    return isShowable ? essence : "another type"
  }
}

extension HTTPHeaders {
  /// The media type of the body; nil where there is none, or several that differ.
  var contentType: MediaType? {
    let types = values(for: "Content-Type").map { MediaType($0) }
    guard let first = types.first, types.allSatisfy({ $0 == first }) else { return nil }
    return first
  }
}

extension StringProtocol {
  /// This text without blanks and tabs at its ends: the optional white space of HTTP (RFC 9110, section 5.6.3).
  var trimmingBlanks: Substring {
    let isBlank = { (character: Character) in character == " " || character == "\t" }
    var rest = Substring(self)
    while let first = rest.first, isBlank(first) { rest.removeFirst() }
    while let last = rest.last, isBlank(last) { rest.removeLast() }
    return rest
  }
}

extension Substring {
  /// The parts between semicolons, of which those within quoted strings are none.
  fileprivate var parameters: [Substring] {
    var parts: [Substring] = []
    var (start, isQuoted, isEscaped) = (startIndex, false, false)
    for index in utf8.indices {
      let byte = utf8[index]
      if isEscaped {
        isEscaped = false
      } else if byte == UInt8(ascii: "\"") {
        isQuoted.toggle()
      } else if isQuoted {
        isEscaped = byte == UInt8(ascii: "\\")
      } else if byte == UInt8(ascii: ";") {
        parts.append(self[start..<index])
        start = utf8.index(after: index)
      }
    }
    return parts + [self[start...]]
  }

  /// What a quoted string stands for (RFC 9110, section 5.6.4), any other text as it is.
  fileprivate var unquoted: Substring {
    guard count >= 2, first == "\"", last == "\"" else { return self }
    let inner = dropFirst().dropLast()
    guard inner.contains("\\") else { return inner }
    var (text, isEscaped) = ("", false)
    for character in inner {
      isEscaped = character == "\\" && !isEscaped
      if !isEscaped { text.append(character) }
    }
    return text[...]
  }
}
