extension HTTPHeaders {
  /// Fields whose values say nothing about who asks or what for.
  ///
  /// A list of what may be shown fails safe, one of what may not does not.
  private static let harmless: Set<String> = [
    "accept", "accept-encoding", "accept-language", "accept-ranges", "age", "allow", "cache-control",
    "connection",
    "content-encoding", "content-language", "content-length", "content-type", "date", "expires",
    "retry-after",
    "server", "transfer-encoding", "user-agent", "vary",
  ]

  /// The fields as pairs of a name and what may be shown of its value.
  var printable: [(name: String, value: String)] {
    map { ($0.name, Self.harmless.contains($0.name.lowercased()) ? $0.value : "<redacted>") }
  }
}

extension HTTPHeaders: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The fields, values redacted unless known to be harmless.
  public var description: String {
    "[" + printable.map { "\($0.name): \($0.value)" }.joined(separator: ", ") + "]"
  }

  /// The same as ``description``.
  public var debugDescription: String { description }

  /// The fields, values redacted unless known to be harmless.
  public var customMirror: Mirror {
    Mirror(self, children: printable.map { ($0.name as String?, $0.value as Any) }, displayStyle: .dictionary)
  }
}

extension HTTPHeaders.Field: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The field, its value redacted unless known to be harmless.
  public var description: String {
    HTTPHeaders([self]).printable.map { "\($0.name): \($0.value)" }.joined()
  }

  /// The same as ``description``.
  public var debugDescription: String { description }

  /// The field, its value redacted unless known to be harmless.
  public var customMirror: Mirror {
    Mirror(self, children: HTTPHeaders([self]).printable.map { ($0.name as String?, $0.value as Any) })
  }
}
