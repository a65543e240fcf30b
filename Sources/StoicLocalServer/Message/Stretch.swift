/// Bytes that are made when they are asked for: some, then one over and over, then some.
struct Stretch: Sendable {
  var lead: [UInt8] = []
  var byte: UInt8 = 0
  var count = 0
  var tail: [UInt8] = []

  var length: Int { lead.count + count + tail.count }

  /// The bytes of that range, which lies within the length.
  func bytes(_ range: Range<Int>) -> ArraySlice<UInt8> {
    if range.upperBound <= lead.count { return lead[range] }
    let end = lead.count + count
    if range.lowerBound >= lead.count, range.upperBound <= end {
      return [UInt8](repeating: byte, count: range.count)[...]
    }
    var bytes = lead[range.clamped(to: 0..<lead.count)]
    bytes += [UInt8](repeating: byte, count: range.clamped(to: lead.count..<end).count)
    let last = range.clamped(to: end..<end + tail.count)
    bytes += tail[(last.lowerBound - end)..<(last.upperBound - end)]
    return bytes
  }

  func enclosed(by start: [UInt8], _ end: [UInt8]) -> Stretch {
    Stretch(lead: start + lead, byte: byte, count: count, tail: tail + end)
  }
}
