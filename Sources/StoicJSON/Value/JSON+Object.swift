extension JSON {
  /// The members of a JSON object, in order, no key twice.
  public struct Object: Sendable, Hashable {
    let json: JSON
    /// The members before the first has been visited.
    let members: Elements

    /// The members of a value, or nil when it is no object.
    init?(_ json: JSON) {
      guard let members = Elements(json), members.isObject else { return nil }
      self.json = json
      self.members = members
    }

    /// The value with this key, compared by UTF-8 bytes, or nil when there is none.
    public subscript(key: String) -> JSON? {
      members.value(for: key)
    }

    /// The keys in order.
    public var keys: [String] { map(\.key) }

    /// The values in the order of the keys.
    public var values: [JSON] {
      var members = members
      var values: [JSON] = []
      values.reserveCapacity(members.count)
      while let value = members.nextValue() {
        values.append(value)
      }
      return values
    }

    /// Whether both have the same members, in whatever order.
    public static func == (left: Object, right: Object) -> Bool {
      left.json == right.json
    }

    /// Feeds the members to the hasher, so that their order makes no difference.
    public func hash(into hasher: inout Hasher) {
      json.hash(into: &hasher)
    }
  }
}

extension JSON.Object: RandomAccessCollection {
  /// One member of the object.
  public typealias Element = (key: String, value: JSON)

  /// Always 0.
  public var startIndex: Int { 0 }

  /// The number of members.
  public var endIndex: Int { members.count }

  /// The member at a position, which must be a valid index as in every collection.
  public subscript(position: Int) -> (key: String, value: JSON) {
    precondition(members.count > position && position >= 0, "no member has this index")
    return members[position]
  }

  /// A walk over the members in order.
  public struct Iterator: IteratorProtocol {
    fileprivate var members: Elements

    /// The next member, or nil after the last.
    public mutating func next() -> (key: String, value: JSON)? {
      members.next()
    }
  }

  /// A walk over the members in order.
  public func makeIterator() -> Iterator {
    Iterator(members: members)
  }
}

extension JSON.Object: CustomStringConvertible, CustomReflectable {
  /// The object as JSON text.
  public var description: String { json.description }

  /// A mirror without children, so that `dump` prints JSON text.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
