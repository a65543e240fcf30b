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

  /// Up to eight bytes, as many as there are from a position on, and zeros instead of the others.
  @inline(__always) func partialWord(at position: Int) -> UInt64 {
    assert(position >= 0 && position <= count)
    let left = count &- position
    if left >= 8 { return word(at: position) }
    // What comes before is there to be loaded and shifted out.
    if count >= 8 {
      return left == 0 ? 0 : word(at: count &- 8) &>> UInt64(truncatingIfNeeded: 64 &- left &* 8)
    }
    if left >= 4 {
      let high = UInt64(halfWord(at: count &- 4)) &<< UInt64(truncatingIfNeeded: (left &- 4) &* 8)
      return high | UInt64(halfWord(at: position))
    }
    var word: UInt64 = 0
    for index in (position..<count).reversed() {
      word = word &<< 8 | UInt64(self[index])
    }
    return word
  }

  @inline(__always) private func halfWord(at position: Int) -> UInt32 {
    assert(position >= 0 && position + 4 <= count)
    return UInt32(littleEndian: start.loadUnaligned(fromByteOffset: position, as: UInt32.self))
  }

  /// The bytes from one position to before another.
  func slice(from lower: Int, to upper: Int) -> ByteView {
    assert(lower >= 0 && lower <= upper && upper <= count)
    return ByteView(start: start + lower, count: upper - lower)
  }

  /// The bytes as a string; what is not valid UTF-8 is repaired.
  var string: String {
    String(decoding: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self)
  }

  /// The bytes as a string; they are known to be valid UTF-8.
  var validString: String {
    guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return string }
    let span = Span<UInt8>(_unsafeStart: start.assumingMemoryBound(to: UInt8.self), count: count)
    return String(copying: UTF8Span(unchecked: span))
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

/// A text with zeros around it, so that words can be loaded a little before and behind it.
struct TextBlock: ~Copyable {
  private static var padding: Int { 16 }

  private let start: UnsafeMutableRawPointer
  let count: Int

  init(copying source: ByteView) {
    count = source.count
    let block = UnsafeMutableRawPointer.allocate(byteCount: count + 2 * Self.padding, alignment: 16)
    start = block + Self.padding
    block.initializeMemory(as: UInt8.self, repeating: 0, count: Self.padding)
    start.copyMemory(from: source.start, byteCount: count)
    (start + count).initializeMemory(as: UInt8.self, repeating: 0, count: Self.padding)
  }

  deinit {
    (start - Self.padding).deallocate()
  }

  subscript(offset: Int) -> UInt8 {
    @inline(__always) get {
      assert(offset >= 0 && offset < count + Self.padding)
      return start.load(fromByteOffset: offset, as: UInt8.self)
    }
  }

  /// Eight bytes, the first in the lowest bits.
  @inline(__always) func word(at offset: Int) -> UInt64 {
    assert(offset >= -Self.padding && offset + 8 <= count + Self.padding)
    return UInt64(littleEndian: start.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  /// Four bytes, the first in the lowest bits.
  @inline(__always) func halfWord(at offset: Int) -> UInt32 {
    assert(offset >= 0 && offset + 4 <= count + Self.padding)
    return UInt32(littleEndian: start.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }

  /// Overwrites bytes with those of another block.
  func replace(at offset: Int, with source: ByteView) {
    assert(offset >= 0 && offset + source.count <= count)
    (start + offset).copyMemory(from: source.start, byteCount: source.count)
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
  /// Whether the memory is the sink's own; that of an array that is being made is not.
  private var isOwner: Bool
  private(set) var count = 0

  init(capacity: Int) {
    self.capacity = max(64, capacity)
    start = .allocate(byteCount: self.capacity, alignment: 8)
    isOwner = true
  }

  private init(over buffer: UnsafeMutableBufferPointer<UInt8>) {
    self.init(capacity: 64)
    guard let address = buffer.baseAddress else { return }
    start.deallocate()
    start = UnsafeMutableRawPointer(address)
    capacity = buffer.count
    isOwner = false
  }

  deinit {
    if isOwner { start.deallocate() }
  }

  /// The bytes that a function writes: into the array itself, if it is given the right capacity.
  static func bytes(
    capacity: Int, _ body: (consuming ByteSink) throws -> ByteSink
  ) rethrows -> [UInt8] {
    var moved: [UInt8]?
    let bytes = try [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
      let sink = try body(ByteSink(over: buffer))
      if sink.isOwner {
        moved = Array(UnsafeRawBufferPointer(start: sink.start, count: sink.count))
      } else {
        count = sink.count
      }
    }
    return moved ?? bytes
  }

  /// Makes room for so many bytes; every `put` needs it.
  @inline(__always) mutating func reserve(_ more: Int) {
    if capacity - count < more { grow(more) }
  }

  @inline(never) private mutating func grow(_ more: Int) {
    capacity = max(capacity * 2, count + more)
    let moved = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 8)
    moved.copyMemory(from: start, byteCount: count)
    if isOwner { start.deallocate() }
    start = moved
    isOwner = true
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

  /// Writes bytes from a position on, up to the first that a function marks, and returns where that is.
  ///
  /// Room for all that is left and eight bytes more has been reserved.
  @inline(__always) mutating func put(
    _ view: ByteView, from position: Int, upTo marksOf: (UInt64) -> UInt64
  ) -> Int {
    assert(count + view.count - position + 8 <= capacity)
    var source = position
    var target = start + count
    while source &+ 16 <= view.count {
      let (first, second) = (view.word(at: source), view.word(at: source &+ 8))
      if marksOf(first) | marksOf(second) != 0 { break }
      target.storeBytes(of: first.littleEndian, as: UInt64.self)
      target.storeBytes(of: second.littleEndian, toByteOffset: 8, as: UInt64.self)
      source &+= 16
      target += 16
    }
    while source &+ 8 <= view.count {
      let word = view.word(at: source)
      target.storeBytes(of: word.littleEndian, as: UInt64.self)
      let marks = marksOf(word)
      if marks != 0 {
        source &+= Words.firstMark(marks)
        count &+= source &- position
        return source
      }
      // A constant step: the next word need not wait for this one's marks.
      source &+= 8
      target += 8
    }
    if source < view.count {
      let word = view.partialWord(at: source)
      target.storeBytes(of: word.littleEndian, as: UInt64.self)
      source &+= min(Words.firstMark(marksOf(word)), view.count &- source)
    }
    count &+= source &- position
    return source
  }

  /// Writes bytes for which room has been reserved.
  @inline(__always) mutating func put(_ view: ByteView) {
    assert(count + view.count <= capacity)
    (start + count).copyMemory(from: view.start, byteCount: view.count)
    count &+= view.count
  }

  /// Everything written so far; the sink must outlive the view.
  var view: ByteView { ByteView(start: UnsafeRawPointer(start), count: count) }

}
