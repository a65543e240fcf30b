/// A JSON value, as RFC 8259 defines it.
///
/// Members stay in their order. A number is the text that was read, and becomes another type exactly or not at all.
/// Two values are equal when they mean the same: the order of an object's members and the spelling of a
/// number (`1`, `1.0`, `1e0`) make no difference, and strings are the same when their UTF-8 bytes are, so
/// that a composed and a decomposed "é" differ. Every operation works on a thread with a small stack,
/// however deep the value is nested.
///
/// `JSON` cannot be written as `nil`: `value["x"] == nil` asks whether the member is missing, and
/// `value["x"] == .null` whether it is there and null.
public struct JSON: Sendable {
  enum Storage: Sendable {
    case null
    case bool(Bool)
    case integer(Int)
    /// A finite double, or one that JSON cannot write: it is kept so that building a value need not fail.
    case double(Double)
    case string(String)
    case array(Node)
    case object(Node)
    case parsed(ParsedValue)
  }

  let storage: Storage

  init(_ storage: Storage) {
    self.storage = storage
  }

  /// The JSON value `null`.
  public static let null = JSON(.null)

  /// How many arrays and objects may enclose each other in a text that is read or written.
  package static let depthLimit = 512
}

extension JSON {
  /// What sort of value this is, in the words used by messages.
  package enum Kind: String, Sendable {
    case null
    case boolean
    case number
    case string
    case array
    case object
  }

  package var kind: Kind {
    switch storage {
    case .null: .null
    case .bool: .boolean
    case .integer, .double: .number
    case .string: .string
    case .array: .array
    case .object: .object
    case .parsed(let value):
      switch value.tag {
      case .null: .null
      case .false, .true: .boolean
      case .integer, .decimal: .number
      case .string, .escapedString: .string
      case .array: .array
      default: .object
      }
    }
  }

  /// How many levels of arrays and objects the value has: 0 for anything else, 1 for `[]`.
  var height: Int {
    switch storage {
    case .array(let node), .object(let node): node.height
    case .parsed(let value): value.document.height(at: value.position)
    default: 0
    }
  }
}

extension JSON {
  /// About how many bytes it takes to write the value without white space.
  package var expectedLength: Int {
    switch storage {
    case .null, .bool: 5
    case .integer: 8
    case .double: 20
    // Some room for escapes, and for the words that are stored whole at the end.
    case .string(let text): text.utf8.count + text.utf8.count >> 4 + 2
    case .array(let node), .object(let node): node.expectedLength
    case .parsed(let value): value.document.textLength(at: value.position)
    }
  }
}

extension JSON {
  /// The room to begin writing with; a longer text asks for more as it grows.
  var expectedCapacity: Int { min(expectedLength, Node.longestExpectation) + 64 }
}

extension JSON: CustomReflectable {
  /// A mirror without children, so that `dump` prints JSON text and never walks into a deep value.
  public var customMirror: Mirror {
    Mirror(self, children: [])
  }
}
