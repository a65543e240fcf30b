extension String {
  /// This path with `.` and `..` segments resolved, plain or escaped; `..` at the root is dropped (RFC 3986, section
  /// 5.2.4, and section 6.2.2.2 for the escaped forms).
  var removingDotSegments: String {
    resolvingDotSegments().path
  }

  /// Whether this path leads above its own root at any point, by plain or escaped dot segments, or by dots that only
  /// appear once `%2F` or `%5C` inside a segment is decoded, or the path parameter in `..;a` is taken off, as some servers
  /// do.
  var leavesItsRoot: Bool {
    let segments = split(separator: "/", omittingEmptySubsequences: false)
    return resolvingDotSegments().leaves || segments.contains { $0.hidesParentSegment }
  }

  private func resolvingDotSegments() -> (path: String, leaves: Bool) {
    let isRooted = hasPrefix("/")
    let segments = (isRooted ? dropFirst() : Substring(self)).split(
      separator: "/", omittingEmptySubsequences: false)
    guard segments.contains(where: { $0.dots != nil }) else { return (self, false) }
    var kept: [Substring] = []
    var leaves = false
    for (index, segment) in segments.enumerated() {
      guard let dots = segment.dots else {
        kept.append(segment)
        continue
      }
      if dots == 2, kept.popLast() == nil { leaves = true }
      // A path that ends in a dot segment names a folder.
      if index == segments.count - 1 { kept.append("") }
    }
    return ((isRooted ? "/" : "") + kept.joined(separator: "/"), leaves)
  }
}

extension Substring {
  /// 1 for `.`, 2 for `..`, also where the dots are escaped; nil for any other segment.
  fileprivate var dots: Int? {
    guard (1...6).contains(utf8.count) else { return nil }
    let bytes = PercentEncoding.decoded(self)
    return bytes.count <= 2 && bytes.allSatisfy { $0 == UInt8(ascii: ".") } ? bytes.count : nil
  }

  fileprivate var hidesParentSegment: Bool {
    guard contains("%") || contains(";") else { return false }
    let slashes = [UInt8(ascii: "/"), UInt8(ascii: "\\")]
    let parts = PercentEncoding.decoded(self).split(omittingEmptySubsequences: false) { slashes.contains($0) }
    return parts.contains { part in
      let name = part.prefix { $0 != UInt8(ascii: ";") }
      // The plain segment is resolved, not hidden.
      return name.elementsEqual("..".utf8) && (parts.count > 1 || name.count < part.count)
    }
  }
}
