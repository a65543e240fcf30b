#if os(Linux) || os(macOS)
import Foundation
import StoicHTTP
import StoicLocalServer

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

  private let compress: Compress

  /// Nil without zlib.
  init?() {
    #if os(macOS)
    let library = dlopen("/usr/lib/libz.1.dylib", RTLD_NOW)
    #else
    let library = dlopen("libz.so.1", RTLD_NOW)
    #endif
    guard let library, let symbol = dlsym(library, "compress2") else { return nil }
    // The type that zlib declares for it, since version 1.0.
    compress = unsafeBitCast(symbol, to: Compress.self)
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
      let stored = LocalServer.Coding.gzip.pack(bytes)
      return stored.prefix(10) + bare + stored.suffix(8)
    }
  }
}
#endif
