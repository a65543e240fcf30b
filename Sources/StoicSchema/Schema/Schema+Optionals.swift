import StoicJSON

extension Schema {
  /// A value that may be null, and whose member must be there all the same; nil is written as null.
  public static func nullable<Wrapped>(_ wrapped: Schema<Wrapped>) -> Schema where Value == Wrapped? {
    optional(wrapped, missing: nil, absent: .null)
  }

  /// A value that may be null, or whose member may be missing; a member that is nil is left out.
  ///
  /// Where nothing can be left out, as in an array, nil is written as null.
  public static func optional<Wrapped>(_ wrapped: Schema<Wrapped>) -> Schema where Value == Wrapped? {
    optional(
      wrapped,
      missing: { _, _, place in
        place.put(nil)
        return true
      }, absent: nil)
  }

  private static func optional<Wrapped>(
    _ wrapped: Schema<Wrapped>, missing: Fill?, absent: JSON?
  ) -> Schema where Value == Wrapped? {
    Schema(
      expected: wrapped.expected + " or null", describe: { context in orNull(wrapped.describe(&context)) },
      missing: missing, isSilentWhenMissing: true,
      read: { json, context, place in
        if json.isNull {
          place.put(nil)
          return true
        }
        return context.readNullable(json, wrapped) { place.put(.some($0)) }
      },
      write: { value, context in
        guard let value else { return absent }
        return wrapped.write(value, &context) ?? .null
      })
  }

  /// A part of a patch: missing, null, or a value.
  ///
  /// A member that is to be kept is left out; where nothing can be left out, as in an array, it is null.
  public static func patch<Wrapped>(_ wrapped: Schema<Wrapped>) -> Schema where Value == Patch<Wrapped> {
    Schema(
      expected: wrapped.expected + " or null", describe: { context in orNull(wrapped.describe(&context)) },
      missing: { _, _, place in
        place.put(.keep)
        return true
      }, isSilentWhenMissing: true,
      read: { json, context, place in
        if json.isNull {
          place.put(.clear)
          return true
        }
        return context.readNullable(json, wrapped) { place.put(.set($0)) }
      },
      write: { value, context in
        switch value {
        case .keep: nil
        case .clear: .null
        case .set(let value): wrapped.write(value, &context) ?? .null
        }
      })
  }
}

/// What a partial update says of one member: nothing, that it is to be removed, or its new value.
public enum Patch<Value> {
  /// The member is missing.
  case keep
  /// The member is null.
  case clear
  /// The member has this value.
  case set(Value)
}

extension Patch: Sendable where Value: Sendable {}
extension Patch: Equatable where Value: Equatable {}
extension Patch: Hashable where Value: Hashable {}

extension DecodingContext {
  /// Reads a value that is not null where it could have been.
  fileprivate mutating func readNullable<Wrapped>(
    _ json: JSON, _ schema: Schema<Wrapped>, _ use: (Wrapped) -> Void
  ) -> Bool {
    let mark = mark
    if let value = Place.filled(by: { schema.read(json, &self, $0) }) {
      use(value)
      return true
    }
    allowNull(since: mark)
    return false
  }
}
