public import StoicJSON

/// What a JSON value must look like to become a `Value`, and how a `Value` is written as JSON.
///
/// A schema is a value: one declaration decodes, encodes and describes.
///
/// ```swift
/// struct User { let id: Int; let name: String; let nick: String? }
///
/// extension User {
///   static let schema: Schema<User> = .object(
///     User.init,
///     .field("id", \.id, .int), .field("name", \.name, .string), .optional("nick", \.nick, .string))
/// }
/// ```
///
/// In a module whose default isolation is the main actor, declare the model `nonisolated`: its initializer
/// and its properties are used wherever a document is decoded.
public struct Schema<Value>: Sendable {
  typealias Read = @Sendable (JSON, inout DecodingContext, Place<Value>) -> Bool
  typealias Fill = @Sendable (_ object: JSON, inout DecodingContext, Place<Value>) -> Bool

  /// Fills a place with a value and returns true, or records at least one error and returns false.
  let read: Read

  /// The JSON form of a value; nil when a member with this value is left out of its object.
  let write: @Sendable (Value, inout EncodingContext) -> JSON?

  /// Fills the place of a member that an object does not have, as `read` does; nil when the member is
  /// required.
  let missing: Fill?

  /// Whether `missing` has nothing to say.
  let isSilentWhenMissing: Bool

  /// What messages call the expected value.
  let expected: String

  /// The schema in the words of JSON Schema 2020-12.
  let describe: @Sendable (inout ExportContext) -> JSON

  init(
    expected: String,
    describe: @escaping @Sendable (inout ExportContext) -> JSON,
    missing: Fill? = nil, isSilentWhenMissing: Bool = false,
    read: @escaping Read,
    write: @escaping @Sendable (Value, inout EncodingContext) -> JSON?
  ) {
    self.expected = expected
    self.describe = describe
    self.missing = missing
    self.isSilentWhenMissing = isSilentWhenMissing
    self.read = read
    self.write = write
  }

  /// A schema without parts.
  init(
    expected: String, export: JSON, read: @escaping Read, write: @escaping @Sendable (Value) -> JSON
  ) {
    self.init(
      expected: expected, describe: { _ in export }, read: read, write: { value, _ in write(value) })
  }

  /// The JSON form of a value.
  ///
  /// Members are in the order of the declaration, those of a dictionary in the order of their keys' bytes.
  /// What JSON cannot say (a double that is NaN or infinite, a date beyond the year 9999, more than 512
  /// levels) becomes a value that `serialized()` refuses.
  public func encode(_ value: Value) -> JSON {
    var context = EncodingContext()
    return write(value, &context) ?? .null
  }
}
