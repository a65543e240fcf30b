extension String {
  /// The text with whatever would break a line or steer a terminal as an escape, such as `\u{A}`.
  package var onOneLine: String {
    guard unicodeScalars.contains(where: \.breaksLine) else { return self }
    return unicodeScalars.reduce(into: "") { text, scalar in
      if scalar.breaksLine {
        text += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
  }

  /// The text as a JSON string, quotes included (RFC 8259, section 7).
  ///
  /// More is escaped than JSON asks for: see ``Unicode/Scalar/breaksLine``.
  var jsonString: String {
    var text = "\""
    for scalar in unicodeScalars {
      switch scalar {
      case "\"", "\\":
        text += "\\"
        text.unicodeScalars.append(scalar)
      case _ where scalar.breaksLine:
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default:
        text.unicodeScalars.append(scalar)
      }
    }
    return text + "\""
  }
}

extension Unicode.Scalar {
  /// Whether somebody who shows or splits text may act on the scalar: controls, line and paragraph separators, and what
  /// turns the direction of writing.
  ///
  /// None of them lies beyond U+FFFF, so each is one JSON escape.
  var breaksLine: Bool {
    switch value {
    case 0x20...0x7E: false
    case 0...0x9F, 0x2028, 0x2029: true
    default: properties.isBidiControl
    }
  }
}
