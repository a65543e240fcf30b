import Stoic

/// A part of a request whose text and mirror show what may be shown, and nothing else.
protocol Discreet: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

extension Discreet {
  /// The same as the description.
  public var debugDescription: String { description }

  /// The description and nothing else.
  public var customMirror: Mirror { Mirror(self, children: ["shown": description]) }
}

extension HTTPRequest.Target: Discreet {
  /// Where to, without query, fragment and user info.
  public var description: String {
    switch self {
    case .path(let path):
      // What looks like a URL may carry a password. By scalars: a mark behind a delimiter does not hide it.
      path.unicodeScalars.contains("@")
        ? "<path with user info>" : String(path.unicodeScalars.prefix { $0 != "?" && $0 != "#" }).onOneLine
    case .url(let url): url.withoutSecrets
    }
  }
}

extension HTTPRequest.QueryItem: Discreet {
  /// That there is an item; neither its name nor its value.
  public var description: String { "<query item>" }
}

extension HTTPRequest.Body: Discreet {
  /// What sort of body; none of it.
  public var description: String {
    switch self {
    case .bytes(let bytes): "<\(bytes.count) bytes>"
    case .json: "<JSON>"
    }
  }
}
