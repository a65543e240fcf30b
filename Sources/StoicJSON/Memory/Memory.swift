// All code of this module that touches memory without the standard library's checks, and nothing else.
//
// What keeps it sound: a block is owned by one noncopyable value and freed by that value's `deinit`; a view
// exists only inside the call of a `with…` function or while its block is borrowed by an object that is kept
// alive; every access asserts its bounds, so that debug builds and the fuzzer trap where a release build
// would read foreign memory.

/// Bytes that somebody else keeps alive for as long as the view is used.
struct ByteView: RandomAccessCollection {
  fileprivate let start: UnsafeRawPointer
  let count: Int

  fileprivate init(start: UnsafeRawPointer, count: Int) {
    self.start = start
    self.count = count
  }

  fileprivate init(_ buffer: UnsafeBufferPointer<UInt8>) {
    // An empty buffer may have no address, and then nobody looks at this one, which is not nil.
    let start = UnsafeRawPointer(buffer.baseAddress) ?? UnsafeRawPointer(bitPattern: 8).unsafelyUnwrapped
    self.init(start: start, count: buffer.count)
  }

  var startIndex: Int { 0 }
  var endIndex: Int { count }

  subscript(position: Int) -> UInt8 {
    @inline(__always) get {
      assert(position >= 0 && position < count)
      return start.load(fromByteOffset: position, as: UInt8.self)
    }
  }

  /// Eight bytes, the first in the lowest bits.
  @inline(__always) func word(at position: Int) -> UInt64 {
    assert(position >= 0 && position + 8 <= count)
    return UInt64(littleEndian: start.loadUnaligned(fromByteOffset: position, as: UInt64.self))
  }

  /// Up to eight bytes, as many as there are, and zeros instead of the others.
  func partialWord(at position: Int) -> UInt64 {
    if position + 8 <= count { return word(at: position) }
    var word: UInt64 = 0
    for index in (position..<count).reversed() {
      word = word << 8 | UInt64(self[index])
    }
    return word
  }

  /// The bytes from one position to before another.
  func slice(from lower: Int, to upper: Int) -> ByteView {
    assert(lower >= 0 && lower <= upper && upper <= count)
    return ByteView(start: start + lower, count: upper - lower)
  }

  /// The bytes as a string; they should be valid UTF-8.
  var string: String {
    String(decoding: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self)
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(bytes: UnsafeRawBufferPointer(start: start, count: count))
  }

  /// Whether both hold the same bytes.
  func hasSameBytes(as other: ByteView) -> Bool {
    guard count == other.count else { return false }
    var position = 0
    while position + 8 <= count {
      if word(at: position) != other.word(at: position) { return false }
      position += 8
    }
    while position < count {
      if self[position] != other[position] { return false }
      position += 1
    }
    return true
  }
}

extension Collection<UInt8> {
  /// Calls a function with the bytes in one piece, copied if they are not.
  func withByteView<Result>(_ body: (ByteView) -> Result) -> Result {
    withContiguousStorageIfAvailable { body(ByteView($0)) } ?? Array(self).withByteView(body)
  }
}

extension String.UTF8View {
  /// Calls a function with the bytes in one piece, and with what it may change.
  func withByteView<State: ~Copyable>(_ state: inout State, _ body: (inout State, ByteView) -> Void) {
    if withContiguousStorageIfAvailable({ body(&state, ByteView($0)) }) == nil {
      Array(self).withUnsafeBufferPointer { body(&state, ByteView($0)) }
    }
  }
}

extension String {
  /// Calls a function with the string's UTF-8.
  func withByteView<Result>(_ body: (ByteView) -> Result) -> Result {
    utf8.withByteView(body)
  }
}

/// A text with zeros behind it, so that a word can be loaded at each of its positions and at its end.
struct TextBlock: ~Copyable {
  private static let padding = 16

  private let start: UnsafeMutableRawPointer
  let count: Int

  init(copying source: ByteView) {
    count = source.count
    start = .allocate(byteCount: count + Self.padding, alignment: 8)
    start.copyMemory(from: source.start, byteCount: count)
    (start + count).initializeMemory(as: UInt8.self, repeating: 0, count: Self.padding)
  }

  deinit {
    start.deallocate()
  }

  subscript(offset: Int) -> UInt8 {
    @inline(__always) get {
      assert(offset >= 0 && offset < count + Self.padding)
      return start.load(fromByteOffset: offset, as: UInt8.self)
    }
    @inline(__always) nonmutating set {
      assert(offset >= 0 && offset < count)
      start.storeBytes(of: newValue, toByteOffset: offset, as: UInt8.self)
    }
  }

  /// Eight bytes, the first in the lowest bits.
  @inline(__always) func word(at offset: Int) -> UInt64 {
    assert(offset >= 0 && offset + 8 <= count + Self.padding)
    return UInt64(littleEndian: start.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  /// Four bytes, the first in the lowest bits.
  @inline(__always) func halfWord(at offset: Int) -> UInt32 {
    assert(offset >= 0 && offset + 4 <= count + Self.padding)
    return UInt32(littleEndian: start.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }

  @inline(__always) func store(_ word: UInt64, at offset: Int) {
    assert(offset >= 0 && offset + 8 <= count + Self.padding)
    start.storeBytes(of: word.littleEndian, toByteOffset: offset, as: UInt64.self)
  }

  /// Copies bytes to an earlier place; the two may overlap.
  func move(from source: Int, to target: Int, count length: Int) {
    assert(target >= 0 && target <= source && length >= 0 && source + length <= count)
    (start + target).copyMemory(from: start + source, byteCount: length)
  }

  /// The bytes at a place; the block must outlive the view.
  @inline(__always) func view(at offset: Int, count length: Int) -> ByteView {
    assert(offset >= 0 && length >= 0 && offset + length <= count)
    return ByteView(start: UnsafeRawPointer(start + offset), count: length)
  }
}

/// Words that grow at the end.
struct WordBlock: ~Copyable {
  private var start: UnsafeMutablePointer<UInt64>
  private(set) var capacity: Int

  init(capacity: Int) {
    self.capacity = capacity
    start = .allocate(capacity: capacity)
  }

  deinit {
    start.deallocate()
  }

  subscript(position: Int) -> UInt64 {
    @inline(__always) get {
      assert(position >= 0 && position < capacity)
      return start[position]
    }
    @inline(__always) nonmutating set {
      assert(position >= 0 && position < capacity)
      start[position] = newValue
    }
  }

  /// Moves the first `count` words to a block of another capacity, which must hold them.
  mutating func reallocate(capacity newCapacity: Int, keeping count: Int) {
    assert(count >= 0 && count <= capacity && count <= newCapacity)
    let moved = UnsafeMutablePointer<UInt64>.allocate(capacity: newCapacity)
    moved.initialize(from: start, count: count)
    start.deallocate()
    start = moved
    capacity = newCapacity
  }
}

/// Bytes that are written one after another.
struct ByteSink: ~Copyable {
  private var start: UnsafeMutableRawPointer
  private var capacity: Int
  private(set) var count = 0

  init(capacity: Int) {
    self.capacity = max(64, capacity)
    start = .allocate(byteCount: self.capacity, alignment: 8)
  }

  deinit {
    start.deallocate()
  }

  /// Makes room for so many bytes; every `put` needs it.
  @inline(__always) mutating func reserve(_ more: Int) {
    if capacity - count < more { grow(more) }
  }

  @inline(never) private mutating func grow(_ more: Int) {
    capacity = max(capacity * 2, count + more)
    let moved = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 8)
    moved.copyMemory(from: start, byteCount: count)
    start.deallocate()
    start = moved
  }

  /// Writes a byte for which room has been reserved.
  @inline(__always) mutating func put(_ byte: UInt8) {
    assert(count < capacity)
    start.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
    count &+= 1
  }

  /// Writes the lowest bytes of a word; room for all eight has been reserved.
  @inline(__always) mutating func put(_ word: UInt64, count length: Int) {
    assert(length >= 0 && length <= 8 && count + 8 <= capacity)
    start.storeBytes(of: word.littleEndian, toByteOffset: count, as: UInt64.self)
    count &+= length
  }

  /// Writes the lowest `length` decimal digits of a number; room for them has been reserved.
  @inline(__always) mutating func put(digits: UInt64, count length: Int) {
    assert(length >= 0 && count + length <= capacity)
    var rest = digits
    var position = count &+ length
    while position > count {
      position &-= 1
      let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
      let byte = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: digit)
      start.storeBytes(of: byte, toByteOffset: position, as: UInt8.self)
      rest = quotient
    }
    count &+= length
  }

  /// Writes bytes for which room has been reserved.
  @inline(__always) mutating func put(_ view: ByteView) {
    assert(count + view.count <= capacity)
    (start + count).copyMemory(from: view.start, byteCount: view.count)
    count &+= view.count
  }

  /// Everything written so far; the sink must outlive the view.
  var view: ByteView { ByteView(start: UnsafeRawPointer(start), count: count) }

  /// Everything written so far.
  var bytes: [UInt8] {
    Array(UnsafeRawBufferPointer(start: start, count: count))
  }

  mutating func removeAll() {
    count = 0
  }
}
