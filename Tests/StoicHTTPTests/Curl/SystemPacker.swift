#if os(Linux) || os(macOS)
import Foundation
import StoicHTTP

/// Packs as servers do, with the system's zlib: its streams have copies that end anywhere, which the local server's
/// have not.
struct SystemPacker: Sendable {
  /// What stands around a deflate stream.
  enum Form: CaseIterable {
    case gzip, deflate, bareDeflate

    var coding: PackedStage.Coding { self == .gzip ? .gzip : .deflate }
  }

  private typealias Compress =
    @convention(c) (
      UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<UInt>?, UnsafePointer<UInt8>?, UInt, Int32
    ) -> Int32

  private typealias Checksum = @convention(c) (UInt, UnsafePointer<UInt8>?, UInt32) -> UInt

  private let compress: Compress
  private let checksum: Checksum

  /// Nil without zlib.
  init?() {
    #if os(macOS)
    let library = dlopen("/usr/lib/libz.1.dylib", RTLD_NOW)
    #else
    let library = dlopen("libz.so.1", RTLD_NOW)
    #endif
    guard let library, let compress = dlsym(library, "compress2"), let checksum = dlsym(library, "crc32")
    else {
      return nil
    }
    // The types that zlib declares for them, since version 1.0.
    self.compress = unsafeBitCast(compress, to: Compress.self)
    self.checksum = unsafeBitCast(checksum, to: Checksum.self)
  }

  /// One whole stream.
  func pack(_ bytes: [UInt8], as form: Form, level: Int32 = 9) -> [UInt8] {
    var count = UInt(bytes.count + bytes.count / 100 + 100)
    var packed = [UInt8](repeating: 0, count: Int(count))
    guard compress(&packed, &count, bytes, UInt(bytes.count), level) == 0 else { return [] }
    packed.removeLast(packed.count - Int(count))
    let bare = Array(packed.dropFirst(2).dropLast(4))
    switch form {
    case .deflate: return packed
    case .bareDeflate: return bare
    case .gzip:
      let ends = [UInt32(checksum(0, bytes, UInt32(bytes.count))), UInt32(bytes.count)]
      let end = ends.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) } }
      // The method, no flags, no time, no hints, an unknown system (RFC 1952, section 2.3).
      return [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255] + bare + end
    }
  }
}
#endif
