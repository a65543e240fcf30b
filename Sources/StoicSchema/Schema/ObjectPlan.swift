import StoicJSON

/// How an object is read, its members' types forgotten: each field is a function that fills a place in a
/// record.
///
/// Nothing in the loop over the members is generic, so that nothing asks the runtime for types.
final class ObjectPlan: Sendable {
  /// What is done with one field; what it reads goes where the layout has room for it.
  class Field: @unchecked Sendable {
    // Neither this class nor its one subclass has a property that changes.
    let key: String
    let expected: String
    /// Whether there is nothing to say when it is missing.
    let isSilent: Bool
    /// Whether it has to be there.
    let isRequired: Bool
    /// Which of an object's fields it is.
    let index: Int
    /// Another field with the same key, which reads the same member.
    let namesake: Field?

    fileprivate init<Value>(_ schema: Schema<Value>, key: String, index: Int, namesake: Field?) {
      self.key = key
      expected = schema.expected
      isSilent = schema.isSilentWhenMissing
      isRequired = schema.missing == nil
      self.index = index
      self.namesake = namesake
    }

    func read(_ json: JSON, _ context: inout DecodingContext, into record: Record) -> Bool { false }

    /// Fills the place of a member that is not there.
    func fill(of object: JSON, _ context: inout DecodingContext, in record: Record) -> Bool { false }

    func destroy(in record: Record) {}
  }

  private final class TypedField<Member>: Field, @unchecked Sendable {
    // Nothing here changes either.
    private let offset: Int
    private let readMember: Schema<Member>.Read
    private let missing: Schema<Member>.Fill?

    init<Value>(_ field: Schema<Value>.Field<Member>, offset: Int, index: Int, namesake: Field?) {
      self.offset = offset
      readMember = field.schema.read
      missing = field.schema.missing
      super.init(field.schema, key: field.key, index: index, namesake: namesake)
    }

    override func read(_ json: JSON, _ context: inout DecodingContext, into record: Record) -> Bool {
      readMember(json, &context, record.place(at: offset, as: Member.self))
    }

    override func fill(of object: JSON, _ context: inout DecodingContext, in record: Record) -> Bool {
      missing?(object, &context, record.place(at: offset, as: Member.self)) ?? false
    }

    override func destroy(in record: Record) {
      record.destroy(at: offset, as: Member.self)
    }
  }

  /// The fields so far, and where their values go.
  struct Draft {
    fileprivate var fields: [Field] = []
    fileprivate var layout = Record.Layout()
    fileprivate var last: [ByteKey: Field] = [:]

    mutating func add<Value, Member>(_ field: Schema<Value>.Field<Member>) {
      let key = ByteKey(field.key)
      let offset = layout.add(Member.self)
      let added = TypedField(field, offset: offset, index: fields.count, namesake: last[key])
      fields.append(added)
      last[key] = added
    }
  }

  private let fields: Pool<Field>
  /// The fields that are found by their keys: the last of each key, which leads to the others.
  private let named: Pool<Field>
  private let names: [String]
  private let index: KeyIndex
  private let layout: Record.Layout
  private let unknownKeys: UnknownKeys

  init(_ draft: Draft, unknownKeys: UnknownKeys) {
    fields = Pool(draft.fields)
    let named = draft.fields.filter { draft.last[ByteKey($0.key)] === $0 }
    self.named = Pool(named)
    names = named.map(\.key)
    index = KeyIndex(names)
    layout = draft.layout
    self.unknownKeys = unknownKeys
  }

  /// Reads an object; once all members are in the record, they are taken out by `make`.
  func read(_ json: JSON, _ context: inout DecodingContext, make: (Record) -> Void) -> Bool {
    let tags = context.takeTags()
    guard var walk = JSON.Walk(json), walk.isObject else {
      context.recordMismatch(expected: "object", found: json)
      return false
    }
    guard let outer = context.enter(json, count: walk.count) else { return false }
    defer { context.leave(outer) }
    let mark = context.arena.mark
    defer { context.arena.end(since: mark) }
    let record = context.arena.record(layout)
    let start = context.start
    let tally = readMembers(&walk, into: record, &context, tags: tags)
    var filled = tally.filled
    if tally.seen < fields.count { filled += fillMissing(of: json, in: record, &context, at: start) }
    if filled == fields.count, !tally.isRefused {
      make(record)
      return true
    }
    for index in 0..<fields.count where record.state(of: index) == .filled {
      fields.with(index) { $0.destroy(in: record) }
    }
    return false
  }

  /// Reads the members in their order; how many fields were there, how many of them fitted, and whether a key
  /// was an error.
  private func readMembers(
    _ walk: inout JSON.Walk, into record: Record, _ context: inout DecodingContext, tags: [String]
  ) -> (seen: Int, filled: Int, isRefused: Bool) {
    var (seen, filled, expected) = (0, 0, 0)
    var isRefused = false
    while let value = walk.next() {
      guard let name = index.index(of: walk, expecting: expected) else {
        if unknownKeys != .ignore, recordUnknown(walk, &context, tags: tags), unknownKeys == .refuse {
          isRefused = true
        }
        continue
      }
      expected = name &+ 1
      named.with(name) { field in
        seen &+= 1
        if readMember(value, field, into: record, &context) { filled &+= 1 }
        var next = field.namesake
        while let field = next {
          seen &+= 1
          if readMember(value, field, into: record, &context) { filled &+= 1 }
          next = field.namesake
        }
      }
    }
    return (seen, filled, isRefused)
  }

  @inline(__always) private func readMember(
    _ value: JSON, _ field: Field, into record: Record, _ context: inout DecodingContext
  ) -> Bool {
    let mark = context.mark
    let isFilled = field.read(value, &context, into: record)
    record.set(isFilled ? .filled : .failed, of: field.index)
    context.prepend(.key(field.key), since: mark)
    return isFilled
  }

  /// Fills the fields that were not there, where that can be done; how many that were.
  private func fillMissing(
    of json: JSON, in record: Record, _ context: inout DecodingContext, at start: DecodingContext.Start
  ) -> Int {
    var (filled, left) = (0, 0)
    for index in 0..<fields.count where record.state(of: index) == .unseen {
      fields.with(index) { field in
        if field.isSilent, field.fill(of: json, &context, in: record) {
          record.set(.filled, of: index)
          filled += 1
        } else {
          left += 1
        }
      }
    }
    if left > 0 { filled += reportMissing(of: json, in: record, &context, at: start) }
    return filled
  }

  /// Fills or reports what else is missing; how many could be filled.
  ///
  /// What there is to say of them belongs to where the object begins, before what was said of its members.
  private func reportMissing(
    of json: JSON, in record: Record, _ context: inout DecodingContext, at start: DecodingContext.Start
  ) -> Int {
    var filled = 0
    var earlier = context.earlier(than: start)
    for index in 0..<fields.count where record.state(of: index) == .unseen {
      fields.with(index) { field in
        let mark = earlier.mark
        if field.isRequired {
          earlier.record(.missing, offset: json.start, .kinds(expected: field.expected, found: "nothing"))
        } else if field.fill(of: json, &earlier, in: record) {
          record.set(.filled, of: index)
          filled += 1
        }
        earlier.prepend(.key(field.key), since: mark)
      }
    }
    context.adopt(earlier, at: start)
    return filled
  }

  /// Records a member that no field names; false when it is the tag of a union.
  private func recordUnknown(
    _ walk: JSON.Walk, _ context: inout DecodingContext, tags: [String]
  ) -> Bool {
    if walk.isKey(among: tags) { return false }
    let mark = context.mark
    context.record(
      .unknownKey, as: unknownKeys == .warn ? .warning : .error, offset: walk.keyOffset,
      .sentence(Self.sentence(on: walk.key, among: names)))
    context.prepend(.key(walk.key), since: mark)
    return true
  }

  private static func sentence(on key: String, among names: [String]) -> String {
    guard let name = nearestName(to: key, among: names) else { return "expected no such key" }
    return "expected no such key; the nearest known one is \"\(displayText(name, limit: 32))\""
  }
}
