/// Header fields in order, looked up without regard to case, repeated fields kept apart.
///
/// Its texts show values only of fields known to be harmless; every other value prints as `<redacted>`.
public struct HTTPHeaders: Sendable {
  /// One field: a name and a value.
  public struct Field: Sendable, Hashable {
    /// The name as written.
    public let name: String
    /// The value as written.
    public let value: String

    /// Makes a field.
    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  private var fields: [Field]

  /// Makes an empty list.
  public init() { fields = [] }

  /// Makes a list of fields, repeated names kept.
  public init(_ fields: [Field]) { self.fields = fields }

  /// The value of a field.
  ///
  /// Reading a repeated field gives its values joined by `, ` (RFC 9110, section 5.3); for `Set-Cookie`, whose values may
  /// not be joined, use ``values(for:)``. Writing replaces every field of the name, whatever its case, at the place of
  /// the first; writing nil removes them.
  public subscript(name: String) -> String? {
    get {
      let values = values(for: name)
      return values.isEmpty ? nil : values.joined(separator: ", ")
    }
    set {
      let place = fields.firstIndex { $0.name.isSameFieldName(as: name) }
      fields.removeAll { $0.name.isSameFieldName(as: name) }
      guard let newValue else { return }
      fields.insert(Field(name, newValue), at: place ?? fields.endIndex)
    }
  }

  /// Adds a field after the others, beside any of the same name.
  public mutating func add(_ name: String, _ value: String) {
    fields.append(Field(name, value))
  }

  /// Makes room for so many fields.
  mutating func reserveCapacity(_ count: Int) { fields.reserveCapacity(count) }

  /// Adds another list's fields after these.
  mutating func append(contentsOf other: HTTPHeaders) { fields.append(contentsOf: other.fields) }

  /// The values of all fields of a name, in order.
  public func values(for name: String) -> [String] {
    fields.filter { $0.name.isSameFieldName(as: name) }.map(\.value)
  }

  /// Whether there is a field of a name.
  public func contains(_ name: String) -> Bool {
    fields.contains { $0.name.isSameFieldName(as: name) }
  }
}

extension HTTPHeaders: RandomAccessCollection {
  /// One field.
  public typealias Element = Field
  /// A place in the list.
  public typealias Index = Int

  /// The place of the first field.
  public var startIndex: Int { fields.startIndex }
  /// The place after the last field.
  public var endIndex: Int { fields.endIndex }
  /// The field at a place.
  public subscript(position: Int) -> Field { fields[position] }
}

extension HTTPHeaders: Hashable {
  /// Whether both hold the same fields in the same order, names compared without regard to case.
  public static func == (left: HTTPHeaders, right: HTTPHeaders) -> Bool {
    left.count == right.count
      && zip(left, right).allSatisfy {
        // By bytes, as a server compares: what Unicode holds equal may be another's key.
        $0.name.isSameFieldName(as: $1.name) && $0.value.utf8.elementsEqual($1.value.utf8)
      }
  }

  /// Hashes what ``==(_:_:)`` compares.
  public func hash(into hasher: inout Hasher) {
    // The names are left out: their case does not count, and lists that differ in them alone are rare.
    hasher.combine(fields.count)
    for field in fields { hasher.combine(field.value) }
  }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral {
  /// Makes a list of fields in the order of the literal, repeated names kept.
  public init(dictionaryLiteral elements: (String, String)...) {
    fields = elements.map { Field($0.0, $0.1) }
  }
}

extension String {
  /// Whether two field names are the same: ASCII letters compare without case, all else by its bytes.
  package func isSameFieldName(as other: String) -> Bool {
    utf8.count == other.utf8.count
      && zip(utf8, other.utf8).allSatisfy { $0.asciiLowercased == $1.asciiLowercased }
  }
}

extension UInt8 {
  /// This byte with an ASCII capital letter made small.
  package var asciiLowercased: UInt8 { (65...90).contains(self) ? self | 0x20 : self }
}
