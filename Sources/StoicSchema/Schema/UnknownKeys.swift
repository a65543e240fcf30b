import StoicJSON

/// What is to be thought of an object's members that no field names.
public enum UnknownKeys: Sendable, Hashable {
  /// They are passed over, as clients should: a server may add some any day.
  case ignore
  /// Each is a warning that names the nearest field.
  case warn
  /// Each is an error that names the nearest field.
  case refuse
}

/// The one of some names that a key was most likely meant to be, or nil when none is near.
///
/// Near are names that up to two edits (one, for short names) lead to: a byte put in, taken out or replaced,
/// or two neighbours swapped. Work is bounded: keys beyond 64 bytes are near to nothing, and only the first
/// 256 names of the declaration are looked at.
func nearestName(to key: String, among names: [String]) -> String? {
  let key = Array(key.utf8.prefix(65))
  guard key.count <= 64 else { return nil }
  var best: (name: String, distance: Int)?
  for name in names.prefix(256) {
    let bytes = Array(name.utf8.prefix(67))
    let limit = min(best.map { $0.distance - 1 } ?? 2, min(bytes.count, key.count) > 4 ? 2 : 1)
    if let distance = editDistance(key, bytes, limit: limit) { best = (name, distance) }
  }
  return best?.name
}

/// How many edits lead from one text to the other, a swap of neighbours being one; nil when more than a
/// limit.
private func editDistance(_ left: [UInt8], _ right: [UInt8], limit: Int) -> Int? {
  guard limit >= 0, abs(left.count - right.count) <= limit else { return nil }
  var beforeLast: [Int] = []
  var last = Array(0...right.count)
  for row in left.indices {
    var current = [row + 1]
    for column in right.indices {
      let isSame = left[row] == right[column]
      var cost = min(last[column] + (isSame ? 0 : 1), last[column + 1] + 1, current[column] + 1)
      if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
        cost = min(cost, beforeLast[column - 1] + 1)
      }
      current.append(cost)
    }
    guard current.contains(where: { $0 <= limit }) else { return nil }
    (beforeLast, last) = (last, current)
  }
  return last[right.count] <= limit ? last[right.count] : nil
}
