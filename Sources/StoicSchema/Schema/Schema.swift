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
  /// Makes a value, or records at least one error and returns nil.
  let read: @Sendable (JSON, inout DecodingContext) -> Value?

  /// The JSON form of a value; nil when a member with this value is left out of its object.
  let write: @Sendable (Value) -> JSON?

  /// The value of a member that is not there; nil when the member is required.
  let missing: (@Sendable () -> Value)?

  /// What messages call the expected value.
  let expected: String

  /// The schema in the words of JSON Schema 2020-12.
  let export: JSON

  init(
    expected: String, export: JSON,
    missing: (@Sendable () -> Value)? = nil,
    read: @escaping @Sendable (JSON, inout DecodingContext) -> Value?,
    write: @escaping @Sendable (Value) -> JSON?
  ) {
    self.expected = expected
    self.export = export
    self.missing = missing
    self.read = read
    self.write = write
  }

  /// The JSON form of a value.
  ///
  /// Members are in the order of the declaration, those of a dictionary in the order of their keys' bytes.
  /// A double that is NaN or infinite becomes a value that `serialized()` refuses.
  public func encode(_ value: Value) -> JSON {
    write(value) ?? .null
  }
}
