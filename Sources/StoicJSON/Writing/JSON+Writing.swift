extension JSON {
  /// How a value is written.
  public struct WritingOptions: OptionSet, Sendable, Hashable {
    /// The set as bits.
    public let rawValue: Int

    /// Creates a set from bits.
    public init(rawValue: Int) {
      self.rawValue = rawValue
    }

    /// Writes the members of every object in the order of their keys' UTF-8 bytes.
    public static let sortedKeys = WritingOptions(rawValue: 1)

    /// Writes each element and member on its own line, indented by two spaces a level.
    public static let pretty = WritingOptions(rawValue: 2)

    /// Writes the one form that RFC 8785 (JSON Canonicalization Scheme) gives a value, whatever else is
    /// asked for.
    ///
    /// Members are in the order of their keys' UTF-16, numbers are doubles written as JavaScript writes
    /// them. A number that no double holds (see ``JSON/double``) cannot be written so.
    public static let canonical = WritingOptions(rawValue: 4)
  }

  /// The value as JSON text in UTF-8.
  ///
  /// Members keep their order unless `options` say otherwise; numbers that were read keep their text;
  /// `/` and everything beyond ASCII are written as they are. Linear in the size of the value, but for
  /// sorting.
  ///
  /// - Throws: ``JSONWritingError`` for a NaN or an infinity, for more than 512 levels, and in canonical
  ///   form for a number that no double holds.
  public func serialized(_ options: WritingOptions = []) throws -> [UInt8] {
    if height > JSON.depthLimit { throw JSONWritingError(reason: .tooDeep, pointer: "") }
    return try ByteSink.bytes(capacity: expectedCapacity) { sink in
      var writer = Writer(options: options, refusesNonFinite: true, sink: sink)
      try writer.write(self)
      return writer.sink
    }
  }
}

extension JSON: CustomStringConvertible {
  /// The value as compact JSON text, of any depth; a number that is not finite appears as `nan` or `inf`.
  public var description: String {
    var writer = Writer(options: [], refusesNonFinite: false, sink: ByteSink(capacity: expectedCapacity))
    do {
      try writer.write(self)
    } catch {
      return "(\(error))"
    }
    return writer.sink.view.string
  }
}
