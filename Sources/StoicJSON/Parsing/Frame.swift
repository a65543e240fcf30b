/// An array or an object whose closing bracket has not been read.
struct Frame {
  let isObject: Bool
  var keys = KeyList()
  private(set) var values: [JSON] = []
  /// The position of the member to replace, when its key has come before and that is allowed.
  var replaced: Int?

  mutating func append(_ value: JSON) {
    if let position = replaced {
      values[position] = value
      replaced = nil
    } else {
      values.append(value)
    }
  }

  var value: JSON {
    JSON(isObject ? .object(Node(keys: keys, values: values)) : .array(Node(values: values)))
  }

  /// The step to the member or element being read.
  var step: PathStep? {
    if !isObject { return .index(values.count) }
    return (replaced.map { keys.names[$0] } ?? keys.names.last).map(PathStep.key)
  }
}
