import StoicJSON

/// How deep a reading is, so that neither a document nor a schema can exhaust the stack.
struct Nesting {
  /// How many schemas may name one another without one of them going into the document.
  private static let stepLimit = 64

  private var levels = Depth()
  private var steps = 0

  var depth: Int { levels.levels }

  /// Goes into an array or an object; nil when it is too deep, otherwise what `leave` needs.
  @inline(__always) mutating func enter() -> Int? {
    guard levels.enter(limit: JSON.depthLimit) else { return nil }
    let outer = steps
    steps = 0
    return outer
  }

  @inline(__always) mutating func leave(_ outer: Int) {
    levels.leave()
    steps = outer
  }

  /// Goes into a schema that another names, at the same place of the document; false when there is no end to
  /// it.
  mutating func follow() -> Bool {
    if steps == Self.stepLimit || !levels.hasRoom() { return false }
    steps += 1
    return true
  }

  mutating func comeBack() {
    steps -= 1
  }

  /// Keeps what a trial has found out about the thread's stack, which takes long to find out.
  mutating func settle(_ trial: Nesting) {
    levels.settle(trial.levels)
  }
}

/// What reading the same parts of a value again, by one alternative after another, may cost in all.
///
/// Alternatives within alternatives multiply; a hostile document could otherwise take time beyond any bound.
struct Effort {
  /// How many values may be visited again, and bytes of texts read again, for each byte of the value.
  private static let perByte = 64

  private var left = 0
  /// Whether alternatives are being tried.
  let isTrial: Bool

  /// Nothing is read again.
  init() {
    isTrial = false
  }

  /// Alternatives are tried for a value of about so many bytes.
  init(size: Int) {
    isTrial = true
    left = Self.perByte * min(size, Int.max / 128) + 4_096
  }

  var isExhausted: Bool { left < 0 }

  /// Counts visits, if alternatives are being tried; false when they have become too many.
  @inline(__always) mutating func spend(_ visits: Int) -> Bool {
    if !isTrial { return true }
    left -= visits + 1
    return left >= 0
  }

  /// Takes back what a trial has left.
  mutating func settle(_ trial: Effort) {
    left = trial.left
  }
}
