#if os(Linux) || os(macOS)
import CCurl

/// One packed stream of zlib's as it is unpacked.
///
/// What keeps it sound: zlib sees memory only during a call, which is told how much there is of it.
final class Inflater {
  /// What one step did.
  struct Step {
    /// How many bytes of the input were used.
    let used: Int
    /// How many bytes of the output were written.
    let made: Int
    let state: stoic_inflate_state
  }

  /// Whether the system has a zlib.
  static let isAvailable = stoic_inflate_load()

  private let pointer: OpaquePointer

  /// Nil without zlib, or when memory has run out.
  init?(_ format: stoic_inflate_format) {
    guard Self.isAvailable, let pointer = stoic_inflate_make(format) else { return nil }
    self.pointer = pointer
  }

  deinit { stoic_inflate_free(pointer) }

  /// Makes it ready for another stream; false when that fails.
  func restart() -> Bool { stoic_inflate_restart(pointer) }

  /// Unpacks until the input is used up, the output full or the stream at its end.
  func run(_ input: ArraySlice<UInt8>, into output: inout [UInt8]) -> Step {
    var (used, made) = (0, 0)
    let state = input.withUnsafeBufferPointer { input in
      output.withUnsafeMutableBufferPointer { output in
        stoic_inflate_run(
          pointer, input.baseAddress, input.count, &used, output.baseAddress, output.count, &made)
      }
    }
    return Step(used: used, made: made, state: state)
  }
}
#endif
