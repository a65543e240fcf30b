/// Something that happened inside a policy or a client: a name, a level, a label and a few fields.
public struct Event: Sendable, Hashable {
  /// How much an operator should care, from least to most.
  public enum Level: Int, Sendable, Hashable, Comparable, CaseIterable {
    case debug, info, notice, warning

    /// Whether one level matters less than another.
    public static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
  }

  /// One fact about an event.
  public struct Field: Sendable, Hashable {
    /// What the fact is about.
    public let key: String
    /// The fact as text.
    public let value: String
    /// Whether the value may hold what only the caller may see, such as a query string; sinks leave it out of logs.
    public let isPrivate: Bool

    /// Makes a field.
    public init(_ key: String, _ value: String, isPrivate: Bool = false) {
      self.key = key
      self.value = value
      self.isPrivate = isPrivate
    }
  }

  /// What happened, such as `http.retry`: a word for the part, a dot, what happened to it.
  public let name: String
  /// How much an operator should care.
  public let level: Level
  /// Whose event it is: the label of a client or policy, and the host where there is one.
  public let label: String
  /// The facts, in a fixed order per name.
  public let fields: [Field]

  /// Makes an event.
  public init(name: String, level: Level, label: String, fields: [Field] = []) {
    self.name = name
    self.level = level
    self.label = label
    self.fields = fields
  }

  /// The value of the first field with a key, private or not; nil when there is none.
  public subscript(key: String) -> String? {
    fields.first { $0.key == key }?.value
  }
}

extension Event.Field: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Key and value, a private value left out.
  public var description: String { "\(key)=\(isPrivate ? "<private>" : value)" }

  /// The same as ``description``.
  public var debugDescription: String { description }

  /// Key and value, a private value left out.
  public var customMirror: Mirror { Mirror(self, children: ["field": description]) }
}

extension Event: CustomStringConvertible {
  /// The event on one line, private values left out.
  public var description: String {
    let facts = fields.map { " \($0)" }
    return "[\(level)] \(name) \(label)\(facts.joined())"
  }
}
