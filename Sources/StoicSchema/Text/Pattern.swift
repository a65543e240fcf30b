/// A regular expression that matches whole strings in time linear in their length, and exports as it is.
///
/// The syntax is the part of ECMA-262's that every dialect reads alike: literals, `.` (anything but a line
/// end), classes such as `[a-z_]` and `[^0-9]`, groups `(…)` and `(?:…)`, `|`, and the quantifiers `*`, `+`,
/// `?`, `{2}`, `{2,}` and `{2,5}`. `\d`, `\w` and `\s` and their opposites are ASCII; `\n`, `\r`, `\t`, `\f`,
/// `\v` and a backslash before any ASCII punctuation are escapes. There are no anchors, since the whole
/// string must match, and neither back references nor lookaround: those are what makes other engines hang.
/// Strings are compared by Unicode scalars.
///
/// The engine is this package's own simulation of an automaton; no input makes it backtrack.
public struct Pattern: Sendable {
  /// The expression as it was given.
  public let text: String

  /// The expression for JSON Schema, with anchors, in syntax that does not depend on flags.
  let export: String

  private let machine: PatternMachine

  /// Reads an expression.
  ///
  /// - Throws: ``PatternError`` when it is not of the syntax, or larger than 10,000 states with its repetitions
  ///   written out.
  public init(_ text: String) throws {
    var parser = PatternParser(text)
    let node = try parser.parse()
    self.text = text
    export = "^(?:\(node.text))$"
    machine = try PatternMachine(node)
  }

  /// Whether the whole string matches.
  public func matches(_ text: String) -> Bool {
    machine.matches(text)
  }
}

extension Pattern {
  /// Reads an expression that is part of this package, and so must be right: a test makes each of them.
  init(ofProgram text: String) {
    do {
      try self.init(text)
    } catch {
      preconditionFailure("a pattern of this package is wrong: \(error)")
    }
  }
}

/// Why a text is no ``Pattern``.
public struct PatternError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What is wrong, and at which scalar of the text, counted from 0.
  public let description: String
}
