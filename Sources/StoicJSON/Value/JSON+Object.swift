extension JSON {
  /// The members of a JSON object, in order, no key twice.
  public struct Object: Sendable, Hashable {
    let node: Node

    init(_ node: Node) {
      self.node = node
    }

    /// The value with this key, compared by UTF-8 bytes, or nil when there is none.
    public subscript(key: String) -> JSON? {
      node.keys.position(of: key).map { node.values[$0] }
    }

    /// The keys in order.
    public var keys: [String] { node.keys.names }

    /// The values in the order of the keys.
    public var values: [JSON] { node.values }

    /// Whether both have the same members, in whatever order.
    public static func == (left: Object, right: Object) -> Bool {
      JSON(.object(left.node)) == JSON(.object(right.node))
    }

    /// Feeds the members to the hasher, so that their order makes no difference.
    public func hash(into hasher: inout Hasher) {
      JSON(.object(node)).hash(into: &hasher)
    }
  }
}

extension JSON.Object: RandomAccessCollection {
  /// One member of the object.
  public typealias Element = (key: String, value: JSON)

  /// Always 0.
  public var startIndex: Int { 0 }

  /// The number of members.
  public var endIndex: Int { node.values.count }

  /// The member at a position, which must be a valid index as in every collection.
  public subscript(position: Int) -> (key: String, value: JSON) {
    (node.keys.names[position], node.values[position])
  }
}

extension JSON.Object: CustomStringConvertible, CustomReflectable {
  /// The object as JSON text.
  public var description: String { JSON(.object(node)).description }

  /// A mirror without children, so that `dump` prints JSON text.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
