import StoicJSON

/// Collects the issues of one decoding.
///
/// An issue is recorded where it is found, without a path; each enclosing schema then prepends its own
/// step. A document without issues so pays nothing for paths.
struct DecodingContext {
  /// An issue whose path is not complete.
  struct Pending {
    var innermostFirst: [ValidationIssue.Path.Element] = []
    let code: ValidationIssue.Code
    let severity: ValidationIssue.Severity
    var wording: ValidationIssue.Wording
    let offset: Int?
  }

  /// How many issues of a severity there are, how many of them are kept, and how many may be.
  struct Tally {
    var total = 0
    var kept = 0
    var limit: Int
    var hasRoom: Bool { kept < limit }
    var isOver: Bool { kept > limit }
  }

  /// How far into the document the reading of a value got before it failed.
  struct Reach {
    /// The number of steps to the outermost error, from the whole document on.
    private(set) var depth: Int?
    /// Whether an error says more than that a value is of another kind.
    private(set) var isAboutMoreThanKind = false

    mutating func note(_ code: ValidationIssue.Code, depth: Int) {
      self.depth = min(self.depth ?? depth, depth)
      if code != .type && code != .null { isAboutMoreThanKind = true }
    }

    mutating func note(_ other: Reach) {
      guard let depth = other.depth else { return }
      self.depth = min(self.depth ?? depth, depth)
      if other.isAboutMoreThanKind { isAboutMoreThanKind = true }
    }
  }

  /// The issues kept so far, in the order of the document.
  private(set) var pending: [Pending] = []
  private var errors: Tally
  private var warnings: Tally
  private var repairs: Tally

  /// Where objects keep their members until all of them are there.
  let arena = Arena()
  /// How deep in the document, and in the schemas that name one another without going deeper.
  var nesting = Nesting()
  /// What alternatives may still cost.
  var effort = Effort()
  /// What the errors say of how far an alternative got; those that are not kept count as well.
  private(set) var reach = Reach()
  /// The keys by which unions chose their cases: the object that is read next knows them.
  var tags: [String] = []

  init(keeping limit: Int) {
    errors = Tally(limit: max(0, limit))
    warnings = errors
    repairs = errors
  }

  /// The number of issues kept so far, for `prepend`.
  var mark: Int { pending.count }

  var totalErrors: Int { errors.total }

  subscript(severity: ValidationIssue.Severity) -> Tally {
    get {
      switch severity {
      case .error: errors
      case .warning: warnings
      case .repair: repairs
      }
    }
    _modify {
      switch severity {
      case .error: yield &errors
      case .warning: yield &warnings
      case .repair: yield &repairs
      }
    }
  }

  /// Counts an issue, and keeps it unless there are too many already.
  ///
  /// - Parameter steps: How many steps of its path are prepended without going into an array or object.
  mutating func record(
    _ code: ValidationIssue.Code, as severity: ValidationIssue.Severity = .error, steps: Int = 0,
    offset: @autoclosure () -> Int?, _ wording: @autoclosure () -> ValidationIssue.Wording
  ) {
    self[severity].total += 1
    if severity == .error { reach.note(code, depth: nesting.depth + steps) }
    guard self[severity].hasRoom else { return }
    self[severity].kept += 1
    pending.append(Pending(code: code, severity: severity, wording: wording(), offset: offset()))
  }

  /// Records that a value is not of the expected kind; null has a code of its own.
  mutating func recordMismatch(expected: String, found value: JSON, steps: Int = 0) {
    record(
      value.isNull ? .null : .type, steps: steps, offset: value.start,
      .kinds(expected: expected, found: value.kind.rawValue))
  }

  /// The place in the order of the issues at which those of a value begin.
  struct Start {
    let mark: Int
    fileprivate let kept: (errors: Int, warnings: Int, repairs: Int)
  }

  var start: Start {
    Start(mark: mark, kept: (errors.kept, warnings.kept, repairs.kept))
  }

  /// A context for issues that belong before those found since a start.
  func earlier(than start: Start) -> DecodingContext {
    var context = self
    context.pending = []
    context.errors = Tally(limit: errors.limit - start.kept.errors)
    context.warnings = Tally(limit: warnings.limit - start.kept.warnings)
    context.repairs = Tally(limit: repairs.limit - start.kept.repairs)
    return context
  }

  /// Takes over issues that belong before those found since a start, which may lose their place to them.
  mutating func adopt(_ earlier: DecodingContext, at start: Start) {
    effort = earlier.effort
    reach.note(earlier.reach)
    for severity in [ValidationIssue.Severity.error, .warning, .repair] {
      self[severity].total += earlier[severity].total
      self[severity].kept += earlier[severity].kept
    }
    pending.insert(contentsOf: earlier.pending, at: start.mark)
    var position = pending.count
    while errors.isOver || warnings.isOver || repairs.isOver, position > start.mark {
      position -= 1
      let severity = pending[position].severity
      guard self[severity].isOver else { continue }
      self[severity].kept -= 1
      pending.remove(at: position)
    }
  }

  /// Counts an issue that belongs before those found since a start, and keeps it unless there are too many
  /// already.
  mutating func record(
    _ code: ValidationIssue.Code, as severity: ValidationIssue.Severity = .error, at start: Start,
    offset: Int?, _ wording: ValidationIssue.Wording
  ) {
    if mark == start.mark { return record(code, as: severity, offset: offset, wording) }
    var earlier = earlier(than: start)
    earlier.record(code, as: severity, offset: offset, wording)
    adopt(earlier, at: start)
  }

  /// Puts a step before the paths of all issues kept since `mark`.
  @inline(__always) mutating func prepend(
    _ element: @autoclosure () -> ValidationIssue.Path.Element, since mark: Int
  ) {
    if pending.count != mark { prependToAll(element(), since: mark) }
  }

  @inline(never) private mutating func prependToAll(_ element: ValidationIssue.Path.Element, since mark: Int)
  {
    for position in mark..<pending.count {
      pending[position].innermostFirst.append(element)
    }
  }

  /// Says of issues at this very value, kept since `mark`, that null would have fitted too.
  mutating func allowNull(since mark: Int) {
    for position in mark..<pending.count where pending[position].innermostFirst.isEmpty {
      if case .kinds(let expected, let found) = pending[position].wording {
        pending[position].wording = .kinds(expected: orNull(expected), found: found)
      }
    }
  }
}

extension DecodingContext {
  /// The issues of a severity; of all without one.
  func issues(_ severity: ValidationIssue.Severity? = nil) -> [ValidationIssue] {
    if pending.isEmpty { return [] }
    return pending.filter { severity == nil || $0.severity == severity }.map { issue in
      ValidationIssue(
        path: ValidationIssue.Path(issue.innermostFirst.reversed()), code: issue.code,
        severity: issue.severity, wording: issue.wording, offset: issue.offset)
    }
  }

  /// A context for what may be taken back: its errors concern nobody yet, and a few of them are enough.
  func trial(keepingErrors limit: Int) -> DecodingContext {
    var trial = self
    trial.pending = []
    trial.reach = Reach()
    trial.errors = Tally(limit: limit)
    trial.warnings = Tally(limit: warnings.limit - warnings.kept)
    trial.repairs = Tally(limit: repairs.limit - repairs.kept)
    return trial
  }

  /// Takes over what a trial has cost and learned, whether its issues count or not.
  mutating func settle(_ trial: DecodingContext) {
    effort.settle(trial.effort)
    nesting.settle(trial.nesting)
  }

  /// Takes over the issues of a trial; what it has cost is settled when it ends.
  mutating func adopt(_ trial: DecodingContext) {
    reach.note(trial.reach)
    for severity in [ValidationIssue.Severity.error, .warning, .repair] {
      self[severity].total += trial[severity].total
    }
    for issue in trial.pending where self[issue.severity].hasRoom {
      self[issue.severity].kept += 1
      pending.append(issue)
    }
  }
}

extension DecodingContext {
  /// Goes into an array or an object with so many values; nil and an error when it cannot, otherwise what
  /// `leave` needs.
  @inline(__always) mutating func enter(_ json: JSON, count: Int) -> Int? {
    if !tags.isEmpty { tags = [] }
    if effort.isTrial, !effort.spend(count + json.lengthWithin) {
      recordExhaustion(at: json)
      return nil
    }
    if let outer = nesting.enter() { return outer }
    recordDepth(at: json)
    return nil
  }

  @inline(__always) mutating func leave(_ outer: Int) {
    nesting.leave(outer)
  }

  @inline(never) private mutating func recordDepth(at json: JSON) {
    record(
      .tooDeep, offset: json.start,
      .sentence("expected fewer arrays and objects inside one another, at most \(JSON.depthLimit)"))
  }

  /// Records that alternatives within alternatives would take too long.
  mutating func recordExhaustion(at json: JSON) {
    record(
      .tooComplex, offset: json.start,
      .sentence("expected alternatives that can be told apart sooner: the work for them is bounded"))
  }

  /// The keys by which unions chose their cases, once.
  mutating func takeTags() -> [String] {
    if tags.isEmpty { return [] }
    defer { tags = [] }
    return tags
  }
}

extension JSON {
  /// Where the value begins in the text, the quote of a string included; nil when it was built.
  var start: Int? {
    offset.map { kind == .string ? $0 - 1 : $0 }
  }

  /// What to call a value whose kind is right.
  var another: String { isNull ? "null" : "another \(kind.rawValue)" }
}
