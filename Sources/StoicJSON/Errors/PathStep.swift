/// One step from a value into a part of it.
package enum PathStep: Sendable {
  case key(String)
  case index(Int)
}

extension PathStep: Hashable {
  /// Whether both are the same step; keys are compared by their UTF-8 bytes.
  package static func == (left: PathStep, right: PathStep) -> Bool {
    switch (left, right) {
    case (.key(let left), .key(let right)): hasSameBytes(left, right)
    case (.index(let left), .index(let right)): left == right
    default: false
    }
  }

  package func hash(into hasher: inout Hasher) {
    switch self {
    case .key(let key): hasher.combine(ByteKey(key))
    case .index(let index): hasher.combine(index)
    }
  }
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
