extension JSON {
  /// What a parser may accept although RFC 8259 advises against it or this module does not by default.
  public struct Relaxations: OptionSet, Sendable, Hashable {
    /// The set as bits.
    public let rawValue: Int

    /// Creates a set from bits.
    public init(rawValue: Int) {
      self.rawValue = rawValue
    }

    /// Accepts an object with a key twice: the last value counts, in the place of the first.
    public static let duplicateKeys = Relaxations(rawValue: 1)
  }

  /// Reads a value from UTF-8 bytes, such as `[UInt8]` or `Data`.
  ///
  /// Strict RFC 8259: no comment, no trailing comma, no duplicate key (compared by UTF-8 bytes after
  /// unescaping), no lone surrogate, no invalid UTF-8, no more than 512 levels. One leading byte order
  /// mark is skipped. Linear in the length; the stack does not grow with the input.
  ///
  /// - Throws: ``JSONError`` with the first thing that is wrong.
  public init(parsing bytes: some Collection<UInt8>, allowing relaxations: Relaxations = []) throws {
    self = try JSON.parse(bytes, relaxations).get()
  }

  /// Reads a value from a text; offsets in errors count its UTF-8 bytes.
  ///
  /// The rules are those of ``init(parsing:allowing:)-(Collection<UInt8>,_)``.
  ///
  /// - Throws: ``JSONError`` with the first thing that is wrong.
  public init(parsing text: some StringProtocol, allowing relaxations: Relaxations = []) throws {
    self = try JSON.parse(text.utf8, relaxations).get()
  }

  /// The same as ``init(parsing:allowing:)-(Collection<UInt8>,_)``, with the error's type.
  ///
  /// The public initializers do not name it: to write `catch let error as JSONError` around a typed throw
  /// draws a warning, and has crashed the compiler of Swift 6.3.1.
  package static func parse(
    _ bytes: some Collection<UInt8>, _ relaxations: Relaxations = []
  ) -> Result<JSON, JSONError> {
    bytes.withByteView { source in
      Result { () throws(JSONError) in
        JSON(.parsed(ParsedValue(position: 0, document: try Document.parse(source, relaxations))))
      }
    }
  }

  /// How many steps it takes to read a text, whether it is accepted or not.
  package static func parsingWork(_ bytes: some Collection<UInt8>, _ relaxations: Relaxations = []) -> Int {
    bytes.withByteView { source in
      var parser = Parser<Tally>(source, relaxations)
      try? parser.run()
      return parser.meter.steps
    }
  }
}

extension Document {
  fileprivate static func parse(
    _ source: ByteView, _ relaxations: JSON.Relaxations
  ) throws(JSONError) -> Document {
    var parser = Parser<NoMeter>(source, relaxations)
    do {
      try parser.run()
    } catch {
      throw parser.error(error, in: source)
    }
    return parser.document()
  }
}

extension Collection<UInt8> {
  /// Whether the bytes begin with U+FEFF in UTF-8.
  package var startsWithByteOrderMark: Bool {
    starts(with: [0xEF, 0xBB, 0xBF])
  }
}
