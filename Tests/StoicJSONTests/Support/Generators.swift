import Stoic
import StoicJSON

extension SplitMix {
  /// A value of any kind, of up to so many levels.
  mutating func value(levels: Int) -> JSON {
    switch Int.random(in: 0..<(levels > 0 ? 9 : 6), using: &self) {
    case 0: return .null
    case 1: return JSON(Bool.random(using: &self))
    case 2: return JSON(Int(truncatingIfNeeded: next()) >> Int.random(in: 0..<64, using: &self))
    case 3: return JSON(double())
    case 4: return JSON(UInt64.random(in: 0...(.max), using: &self))
    case 5: return JSON(string())
    case 6:
      return JSON((0..<size()).map { _ in value(levels: levels - 1) })
    default:
      return JSON((0..<size()).map { _ in (key: string(), value: value(levels: levels - 1)) })
    }
  }

  /// A finite double of any bits.
  mutating func double() -> Double {
    let value = Double(bitPattern: next())
    return value.isFinite ? value : 0.5
  }

  /// Scalars of every length in UTF-8, among them those that need escapes.
  mutating func string() -> String {
    let ranges: [ClosedRange<UInt32>] = [
      0...0x1F, 0x20...0x7F, 0x20...0x7F, 0x22...0x22, 0x5C...0x5C, 0x80...0x7FF, 0x800...0xD7FF,
      0xE000...0xFFFF, 0x10000...0x10FFFF,
    ]
    var text = String.UnicodeScalarView()
    for _ in 0..<size() {
      let range = ranges[Int.random(in: 0..<ranges.count, using: &self)]
      if let scalar = Unicode.Scalar(UInt32.random(in: range, using: &self)) { text.append(scalar) }
    }
    return String(text)
  }

  /// Mostly small, at times beyond the limits of what is searched without a table.
  private mutating func size() -> Int {
    Int.random(in: 0..<(Int.random(in: 0..<12, using: &self) == 0 ? 40 : 5), using: &self)
  }
}
