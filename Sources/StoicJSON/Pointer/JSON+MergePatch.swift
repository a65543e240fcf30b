extension JSON {
  /// The value changed as a merge patch says (RFC 7396).
  ///
  /// Members of the patch replace those with the same key, objects member by member; a null removes the
  /// member. A patch that is no object replaces the whole value. Members keep their places, new ones come
  /// last. Linear in the size of the patch and of the objects that it changes.
  public func merging(patch: JSON) -> JSON {
    guard var top = Merge(self, patch) else { return patch }
    var outer: [Merge] = []
    while true {
      if let (key, change) = top.members.next() {
        if let inner = Merge(top.value(for: key), change) {
          top.pending = key
          outer.append(top)
          top = inner
        } else {
          top.set(key, change.isNull ? nil : change)
        }
        continue
      }
      let merged = top.result
      guard let next = outer.popLast() else { return merged }
      top = next
      top.set(top.pending, merged)
    }
  }
}

/// An object on its way to becoming another one.
private struct Merge {
  /// The members of the patch that are still to be applied.
  var members: Elements
  /// The key of the member that is being merged by itself.
  var pending = ""
  private var keys = KeyList()
  /// The values in the order of the keys, nil where a member has been removed.
  private var values: [JSON?] = []

  /// Nil when the patch is no object; a value that is none counts as an empty one.
  init?(_ value: JSON?, _ patch: JSON) {
    guard let changes = Elements(patch), changes.isObject else { return nil }
    members = changes
    guard let value, var old = Elements(value), old.isObject else { return }
    while let (key, value) = old.next() {
      set(key, value)
    }
  }

  func value(for key: String) -> JSON? {
    keys.position(of: key).flatMap { values[$0] }
  }

  mutating func set(_ key: String, _ value: JSON?) {
    if let position = keys.position(of: key) {
      values[position] = value
    } else if let value, keys.append(key) {
      values.append(value)
    }
  }

  var result: JSON {
    JSON(
      zip(keys.names, values).compactMap { key, value in
        value.map { (key: key, value: $0) }
      })
  }
}
