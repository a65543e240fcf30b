#if os(Linux) || os(macOS)
import CCurl

/// One coding of a body on its way back: packed bytes wait here until somebody asks for unpacked ones.
package struct PackedStage {
  /// A coding that can be undone.
  package enum Coding: Sendable {
    case gzip
    /// In zlib's wrapping as the standard says, or without it as some servers have it.
    case deflate

    /// A coding by its name; nil for others.
    init?(_ name: some StringProtocol) {
      switch name.lowercased() {
      case "gzip", "x-gzip": self = .gzip
      case "deflate": self = .deflate
      default: return nil
      }
    }
  }

  /// What came of asking.
  package enum Yield {
    /// So many bytes are in ``output``.
    case made(Int)
    case needsInput
    case broken
  }

  private static let room = 32 * 1024

  private let coding: Coding
  private var inflater: Inflater?
  private var input: ArraySlice<UInt8> = []
  /// Whether the unpacker may hold bytes back for which there was no room, all input used.
  private var mayHoldMore = false
  private(set) var output = [UInt8](repeating: 0, count: room)
  /// Whether what has come so far may be all: nothing at all, or whole streams.
  private(set) var isWhole = true

  init(_ coding: Coding) { self.coding = coding }

  /// Takes packed bytes, to be unpacked after those that wait.
  mutating func push(_ bytes: ArraySlice<UInt8>) {
    if input.isEmpty { input = bytes } else { input += bytes }
  }

  /// Unpacks the next bytes.
  mutating func pull() -> Yield {
    while !input.isEmpty || mayHoldMore {
      isWhole = false
      if inflater == nil {
        guard let format else { return .needsInput }
        inflater = Inflater(format)
      }
      guard let inflater else { return .broken }
      let step = inflater.run(input, into: &output)
      input = input.dropFirst(step.used)
      // What ends the stream may be among it.
      mayHoldMore = step.made == output.count && step.state == STOIC_INFLATE_OPEN
      switch step.state {
      case STOIC_INFLATE_BROKEN: return .broken
      case STOIC_INFLATE_ENDED:
        isWhole = true
        // A gzip file may be several, one after another (RFC 1952, section 2.2).
        guard coding == .gzip && inflater.restart() || input.isEmpty else { return .broken }
      default: break
      }
      if step.made > 0 { return .made(step.made) }
    }
    return .needsInput
  }

  /// What the first bytes look like; nil while there are too few.
  private var format: stoic_inflate_format? {
    if coding == .gzip { return STOIC_INFLATE_GZIP }
    guard input.count >= 2 else { return nil }
    let (first, second) = (Int(input[input.startIndex]), Int(input[input.startIndex + 1]))
    // RFC 1950, section 2.2.
    let isWrapped = first & 0x0F == 8 && (first << 8 | second) % 31 == 0
    return isWrapped ? STOIC_INFLATE_ZLIB : STOIC_INFLATE_RAW
  }
}
#endif
