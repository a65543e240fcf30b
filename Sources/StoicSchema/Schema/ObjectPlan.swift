import StoicJSON

/// How an object is read, its members' types forgotten: each field is a function that fills a place in a record.
///
/// Nothing in the loop over the members is generic, so that nothing asks the runtime for types.
final class ObjectPlan: Sendable {
  /// What is done with one field.
  final class Field: Sendable {
    let key: String
    let expected: String
    let read: @Sendable (JSON, inout DecodingContext, Record) -> Bool
    /// Fills the place of a member that is not there; nil when it is required.
    let fill: (@Sendable (JSON, inout DecodingContext, Record) -> Bool)?
    /// Whether there is nothing to say when it is missing.
    let isSilent: Bool
    let destroy: @Sendable (Record) -> Void
    /// Which of an object's fields it is.
    let index: Int
    /// Another field with the same key, which reads the same member.
    let namesake: Field?

    /// Forgets a field's type; what it reads goes where the layout has room for it.
    init<Value, Member>(
      _ field: Schema<Value>.Field<Member>, _ layout: inout Record.Layout, index: Int, namesake: Field?
    ) {
      let offset = layout.add(Member.self)
      let schema = field.schema
      let readMember = schema.read
      key = field.key
      expected = schema.expected
      isSilent = schema.isSilentWhenMissing
      self.index = index
      self.namesake = namesake
      read = { json, context, record in
        readMember(json, &context, record.place(at: offset, as: Member.self))
      }
      destroy = { record in record.destroy(at: offset, as: Member.self) }
      if let missing = schema.missing {
        fill = { object, context, record in
          missing(object, &context, record.place(at: offset, as: Member.self))
        }
      } else {
        fill = nil
      }
    }
  }

  /// The fields so far, and where their values go.
  struct Draft {
    fileprivate var fields: [Field] = []
    fileprivate var layout = Record.Layout()
    fileprivate var last: [ByteKey: Field] = [:]

    mutating func add<Value, Member>(_ field: Schema<Value>.Field<Member>) {
      let key = ByteKey(field.key)
      let added = Field(field, &layout, index: fields.count, namesake: last[key])
      fields.append(added)
      last[key] = added
    }
  }

  private let fields: [Field]
  /// The fields that are found by their keys: the last of each key, which leads to the others.
  private let named: [Field]
  private let index: KeyIndex
  private let layout: Record.Layout
  private let unknownKeys: UnknownKeys

  init(_ draft: Draft, unknownKeys: UnknownKeys) {
    fields = draft.fields
    named = draft.fields.filter { draft.last[ByteKey($0.key)] === $0 }
    index = KeyIndex(named.map(\.key))
    layout = draft.layout
    self.unknownKeys = unknownKeys
  }

  /// Reads an object; once all members are in the record, they are taken out by `make`.
  func read(_ json: JSON, _ context: inout DecodingContext, make: (Record) -> Void) -> Bool {
    let tag = context.takeTag()
    guard var walk = JSON.Walk(json), walk.isObject else {
      context.recordMismatch(expected: "object", found: json)
      return false
    }
    guard let outer = context.enter(json, count: walk.count) else { return false }
    defer { context.leave(outer) }
    return Record.with(layout, onStack: context.nesting.depth < 16) { record in
      let start = context.start
      let tally = readMembers(&walk, into: record, &context, tag: tag)
      var filled = tally.filled
      if tally.seen < fields.count { filled += fillMissing(of: json, in: record, &context, at: start) }
      if filled == fields.count {
        make(record)
        return true
      }
      for index in fields.indices where record.state(of: index) == .filled {
        fields[index].destroy(record)
      }
      return false
    }
  }

  /// Reads the members in their order; how many fields were there, and how many of them fitted.
  private func readMembers(
    _ walk: inout JSON.Walk, into record: Record, _ context: inout DecodingContext, tag: String?
  ) -> (seen: Int, filled: Int) {
    var (seen, filled, expected) = (0, 0, 0)
    while let value = walk.next() {
      guard let name = index.index(of: walk, expecting: expected) else {
        if unknownKeys != .ignore { recordUnknown(walk, &context, tag: tag) }
        continue
      }
      expected = name &+ 1
      var next: Field? = named[name]
      while let field = next {
        let mark = context.mark
        let isFilled = field.read(value, &context, record)
        record.set(isFilled ? .filled : .failed, of: field.index)
        seen &+= 1
        if isFilled { filled &+= 1 }
        context.prepend(.key(field.key), since: mark)
        next = field.namesake
      }
    }
    return (seen, filled)
  }

  /// Fills the fields that were not there, where that can be done; how many that were.
  ///
  /// What there is to say of them belongs to where the object begins, before what was said of its members.
  private func fillMissing(
    of json: JSON, in record: Record, _ context: inout DecodingContext, at start: DecodingContext.Start
  ) -> Int {
    var filled = 0
    var earlier: DecodingContext?
    for index in fields.indices where record.state(of: index) == .unseen {
      let field = fields[index]
      if field.isSilent, let fill = field.fill, fill(json, &context, record) {
        record.set(.filled, of: field.index)
        filled += 1
        continue
      }
      var issues = earlier ?? context.earlier(than: start)
      let mark = issues.mark
      if let fill = field.fill {
        if fill(json, &issues, record) {
          record.set(.filled, of: field.index)
          filled += 1
        }
      } else {
        issues.record(.missing, offset: json.start, .kinds(expected: field.expected, found: "nothing"))
      }
      issues.prepend(.key(field.key), since: mark)
      earlier = issues
    }
    if let earlier { context.adopt(earlier, at: start) }
    return filled
  }

  private func recordUnknown(_ walk: JSON.Walk, _ context: inout DecodingContext, tag: String?) {
    if let tag, hasSameBytes(walk.key, tag) { return }
    let mark = context.mark
    context.record(
      .unknownKey, as: unknownKeys == .warn ? .warning : .error, offset: walk.keyOffset,
      .sentence(
        nearestName(to: walk.key, among: named.map(\.key)).map {
          "expected no such key; the nearest known one is \"\(displayText($0, limit: 32))\""
        } ?? "expected no such key"))
    context.prepend(.key(walk.key), since: mark)
  }
}
