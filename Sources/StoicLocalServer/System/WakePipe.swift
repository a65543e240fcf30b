#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The pair of descriptors that ends the loop's `poll`.
struct WakePipe: Sendable {
  let reading: Descriptor
  private let writing: Descriptor

  init() throws(LocalServer.StartError) {
    var ends: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, Descriptor.streamKind, 0, &ends) == 0 else {
      throw LocalServer.StartError(call: "socketpair", code: errno)
    }
    reading = Descriptor(number: ends[0])
    writing = Descriptor(number: ends[1])
    reading.makePrivate()
    writing.makePrivate()
  }

  /// Makes the reading end readable; a full one is readable already.
  func wake() {
    _ = withUnsafeBytes(of: UInt8(1)) { writing.write($0) }
  }

  func drain() {
    withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { buffer in
      while case .moved = reading.read(into: buffer) {}
    }
  }

  func close() {
    reading.close()
    writing.close()
  }
}
