/// A foreign text made fit for one line of a message: escaped, and cut in the middle.
///
/// Everything that is invisible, breaks the line or reorders it is written as a `\u` escape; the quote and
/// the backslash get a backslash. Of more than `limit` scalars the first and last halves stay, with "…"
/// between them; a "…" in the text is itself escaped, so that the two cannot be confused.
package func displayText(_ text: String, limit: Int) -> String {
  let scalars = text.unicodeScalars
  let half = limit / 2
  guard let end = scalars.index(scalars.startIndex, offsetBy: limit, limitedBy: scalars.endIndex),
    end != scalars.endIndex
  else { return escaped(scalars[...]) }
  return escaped(scalars.prefix(half)) + "…" + escaped(scalars.suffix(half))
}

private func escaped(_ scalars: Substring.UnicodeScalarView) -> String {
  var result = ""
  for scalar in scalars {
    if scalar == "\"" || scalar == "\\" {
      result += "\\\(scalar)"
    } else if isPlain(scalar) {
      result.unicodeScalars.append(scalar)
    } else {
      for unit in UTF16.encode(scalar) ?? UTF16.encodedReplacementCharacter {
        let digits = String(unit, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }
    }
  }
  return result
}

private func isPlain(_ scalar: Unicode.Scalar) -> Bool {
  if scalar == "…" { return false }
  if scalar.isASCII { return (0x20..<0x7F).contains(scalar.value) }
  switch scalar.properties.generalCategory {
  case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator,
    .spaceSeparator:
    return false
  default:
    return true
  }
}
