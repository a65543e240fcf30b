#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// How much of the thread's stack is left.
///
/// Schemas that contain themselves read by recursion. How much a level takes depends on the schema and on the
/// build, and how much there is on the thread: 512 KiB on many of Apple's, 8 MiB on most of Linux's. So it is
/// measured.
struct Stack {
  /// What is kept free: for the caller's own closures, and for what a level does between two checks.
  private static let reserve: UInt = 96 << 10
  private let floor: UInt

  /// What is taken to be left where the system does not tell.
  private static let usual: UInt = 256 << 10

  /// The stack of the calling thread.
  ///
  /// To ask for it takes microseconds, so only deep readings do.
  init() {
    floor = Self.lowestAddress.map { $0 + Self.reserve } ?? Self.position - min(Self.position, Self.usual)
  }

  /// Whether there is room for another level.
  var hasRoom: Bool { Self.position > floor }

  /// Where on the stack the caller is.
  static var position: UInt { address(ofTemporary: 16) }

  /// Where on the stack a few bytes come to lie.
  ///
  /// A variable's address will not do: the address sanitizer keeps variables of a known size elsewhere.
  @inline(never) private static func address(ofTemporary size: Int) -> UInt {
    withUnsafeTemporaryAllocation(byteCount: size, alignment: 1) { UInt(bitPattern: $0.baseAddress) }
  }

  private static var lowestAddress: UInt? {
    #if canImport(Darwin)
    let thread = pthread_self()
    return UInt(bitPattern: pthread_get_stackaddr_np(thread)) - UInt(pthread_get_stacksize_np(thread))
    #elseif canImport(Glibc) || canImport(Musl) || canImport(Android)
    // Swift's module of the C library leaves the function out, since POSIX does not have it.
    guard let symbol = dlsym(nil, "pthread_getattr_np") else { return nil }
    let getAttributes = unsafeBitCast(
      symbol, to: (@convention(c) (pthread_t, UnsafeMutablePointer<pthread_attr_t>) -> CInt).self)
    let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
    defer { attributes.deallocate() }
    guard getAttributes(pthread_self(), attributes) == 0 else { return nil }
    defer { pthread_attr_destroy(attributes) }
    var address: UnsafeMutableRawPointer?
    var size = 0
    guard pthread_attr_getstack(attributes, &address, &size) == 0 else { return nil }
    return address.map { UInt(bitPattern: $0) }
    #else
    return nil
    #endif
  }
}

/// How deep something is, and whether the stack has room for more.
struct Depth {
  /// As long as no more than this has been used since the start, nobody asks how large the stack is.
  private static let unasked: UInt = 32 << 10

  private(set) var levels = 0
  /// Where on the stack it all began.
  private let start = Stack.position
  private var stack: Stack?

  /// Goes one level down; false when that is too deep.
  @inline(__always) mutating func enter(limit: Int) -> Bool {
    guard levels < limit, hasRoom() else { return false }
    levels &+= 1
    return true
  }

  @inline(__always) mutating func leave() {
    levels &-= 1
  }

  /// Takes over what another has measured on the same thread.
  @inline(__always) mutating func settle(_ other: Depth) {
    if stack == nil { stack = other.stack }
  }

  /// Whether the stack has room for more.
  @inline(__always) mutating func hasRoom() -> Bool {
    start &- Stack.position < Self.unasked || hasMeasuredRoom()
  }

  @inline(never) private mutating func hasMeasuredRoom() -> Bool {
    // Asked for by whoever comes this deep first, since the thread stays the same.
    let known = stack ?? Stack()
    stack = known
    return known.hasRoom
  }
}
