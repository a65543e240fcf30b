/// One step from a value into a part of it.
package enum PathStep: Sendable, Hashable {
  case key(String)
  case index(Int)
}

/// The steps as an RFC 6901 JSON Pointer.
func pointerText(of steps: [PathStep]) -> String {
  var text = ""
  for step in steps {
    text += "/"
    switch step {
    case .index(let index):
      text += "\(index)"
    case .key(let key):
      for scalar in key.unicodeScalars {
        switch scalar {
        case "~": text += "~0"
        case "/": text += "~1"
        default: text.unicodeScalars.append(scalar)
        }
      }
    }
  }
  return text
}
