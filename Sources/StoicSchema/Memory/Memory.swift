// All code of this module that touches memory without the compiler's checks, and nothing else.
//
// What keeps it sound: a place is handed to one reader, which fills it if and only if it returns true, and it
// does so once; a place does not outlive the call that it was handed to; whoever made it takes or destroys
// what was put there. A `Record` notes which of its fields are filled and destroys those that are not taken.

/// Where a value of a type is to be put: memory that holds nothing yet.
struct Place<Value> {
  fileprivate let address: UnsafeMutablePointer<Value>

  /// Fills the place.
  @inline(__always) func put(_ value: consuming Value) {
    address.initialize(to: value)
  }

  /// What the place holds, which then holds nothing.
  func take() -> Value {
    address.move()
  }

  /// Lets a function fill a place of the value that an optional wraps; whether it did.
  func putSome<Wrapped>(_ fill: (Place<Wrapped>) -> Bool) -> Bool where Value == Wrapped? {
    // The optional holds nothing yet and is no smaller: its memory can serve for the value first.
    let wrapped = UnsafeMutableRawPointer(address).assumingMemoryBound(to: Wrapped.self)
    guard fill(Place<Wrapped>(address: wrapped)) else { return false }
    address.initialize(to: wrapped.move())
    return true
  }

  /// Lets a function fill a place; nil when it does not.
  static func filled(by body: (Place) -> Bool) -> Value? {
    withUnsafeTemporaryAllocation(of: Value.self, capacity: 1) { buffer in
      guard let address = buffer.baseAddress, body(Place(address: address)) else { return nil }
      return address.move()
    }
  }

  /// Lets a function fill a place, or throws what another makes.
  static func filled<Failure: Error>(
    by body: (Place) -> Bool, otherwise failure: () -> Failure
  ) throws(Failure) -> Value {
    let size = MemoryLayout<Value>.size
    let block = UnsafeMutableRawPointer.allocate(
      byteCount: max(1, size), alignment: MemoryLayout<Value>.alignment)
    defer { block.deallocate() }
    let address = block.assumingMemoryBound(to: Value.self)
    guard body(Place(address: address)) else { throw failure() }
    return address.move()
  }

  /// Lets one function fill a place and another use what it holds; nil when it is not filled.
  static func using<Result>(_ fill: (Place) -> Bool, _ use: (Value) -> Result) -> Result? {
    withUnsafeTemporaryAllocation(of: Value.self, capacity: 1) { buffer in
      guard let address = buffer.baseAddress, fill(Place(address: address)) else { return nil }
      defer { address.deinitialize(count: 1) }
      return use(address.pointee)
    }
  }

  /// Lets a function fill places for up to so many elements in turn; those that it does not fill are left
  /// out.
  static func elements(upTo count: Int, filledBy body: (Int, Place) -> Bool) -> [Value] {
    [Value](unsafeUninitializedCapacity: count) { buffer, filled in
      guard let start = buffer.baseAddress else { return }
      for index in 0..<count where body(index, Place(address: start + filled)) {
        filled += 1
      }
    }
  }
}

/// Where the members of an object are kept until all of them are there; their types are known to who put them
/// there.
struct Record {
  /// Where each member goes, and how large it all is.
  struct Layout {
    fileprivate private(set) var size = 0
    fileprivate private(set) var alignment = 1
    fileprivate private(set) var count = 0

    /// Makes room for a member of this type, and tells where; `Record.Taker` finds it in the same order.
    mutating func add<Member>(_ type: Member.Type) -> Int {
      let offset = Self.aligned(size, for: type)
      size = offset + MemoryLayout<Member>.size
      alignment = max(alignment, MemoryLayout<Member>.alignment)
      count += 1
      return offset
    }

    @inline(__always) fileprivate static func aligned<Member>(_ size: Int, for type: Member.Type) -> Int {
      let mask = MemoryLayout<Member>.alignment &- 1
      return (size &+ mask) & ~mask
    }
  }

  /// What has become of a member.
  enum State: UInt8 {
    case unseen
    case filled
    case failed
  }

  private let start: UnsafeMutableRawPointer
  private let states: UnsafeMutablePointer<UInt8>
  private let count: Int

  /// Calls a function with a record that holds nothing; on the stack if it is to be and is small.
  static func with<Result>(
    _ layout: Layout, onStack isOnStack: Bool, _ body: (Record) -> Result
  ) -> Result {
    let size = layout.size + layout.count
    if isOnStack {
      return withUnsafeTemporaryAllocation(byteCount: max(1, size), alignment: layout.alignment) { buffer in
        // A buffer that is not empty has an address.
        body(Record(buffer.baseAddress.unsafelyUnwrapped, layout))
      }
    }
    let block = UnsafeMutableRawPointer.allocate(byteCount: max(1, size), alignment: layout.alignment)
    defer { block.deallocate() }
    return body(Record(block, layout))
  }

  private init(_ start: UnsafeMutableRawPointer, _ layout: Layout) {
    self.start = start
    count = layout.count
    states = (start + layout.size).initializeMemory(
      as: UInt8.self, repeating: State.unseen.rawValue, count: count)
  }

  @inline(__always) func state(of index: Int) -> State {
    assert(index >= 0 && index < count)
    return State(rawValue: states[index]).unsafelyUnwrapped  // Only `set` writes there.
  }

  @inline(__always) func set(_ state: State, of index: Int) {
    assert(index >= 0 && index < count)
    states[index] = state.rawValue
  }

  /// The place at an offset that the layout gave for this type.
  @inline(__always) func place<Member>(at offset: Int, as type: Member.Type) -> Place<Member> {
    Place(address: (start + offset).assumingMemoryBound(to: type))
  }

  /// Destroys a member at an offset that the layout gave for this type.
  func destroy<Member>(at offset: Int, as type: Member.Type) {
    (start + offset).assumingMemoryBound(to: type).deinitialize(count: 1)
  }

  /// Takes the members out of a record in which all are filled, in the order of the layout.
  struct Taker {
    private let start: UnsafeMutableRawPointer
    private var end = 0

    init(_ record: Record) {
      start = record.start
    }

    @inline(__always) mutating func next<Member>(_ type: Member.Type) -> Member {
      let offset = Layout.aligned(end, for: type)
      end = offset &+ MemoryLayout<Member>.size
      return (start + offset).assumingMemoryBound(to: type).move()
    }
  }
}

/// Objects that are kept alive together, to be used one at a time without counting references.
final class Pool<Object: AnyObject & Sendable>: @unchecked Sendable {
  // Its memory is written once, in `init`.
  private let objects: [Object]
  private let start: UnsafeMutablePointer<Unmanaged<Object>>
  let count: Int

  init(_ objects: [Object]) {
    self.objects = objects
    count = objects.count
    start = .allocate(capacity: max(1, count))
    for (index, object) in objects.enumerated() {
      (start + index).initialize(to: Unmanaged.passUnretained(object))
    }
  }

  deinit {
    start.deallocate()
  }

  @inline(__always) func with<Result>(_ index: Int, _ body: (Object) -> Result) -> Result {
    assert(index >= 0 && index < count)
    return start[index]._withUnsafeGuaranteedRef(body)
  }
}
