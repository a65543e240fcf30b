import StoicJSON

extension Schema {
  /// A value that may be null, and whose member must be there all the same; nil is written as null.
  public static func nullable<Wrapped>(_ wrapped: Schema<Wrapped>) -> Schema where Value == Wrapped? {
    optional(wrapped, isRequired: true)
  }

  /// A value that may be null, or whose member may be missing; a member that is nil is left out.
  ///
  /// Where nothing can be left out, as in an array, nil is written as null.
  public static func optional<Wrapped>(_ wrapped: Schema<Wrapped>) -> Schema where Value == Wrapped? {
    optional(wrapped, isRequired: false)
  }

  // The usual types spare the runtime the search for their optional's type.
  @_specialize(where Wrapped == String)
  @_specialize(where Wrapped == Int)
  @_specialize(where Wrapped == Double)
  @_specialize(where Wrapped == Bool)
  private static func optional<Wrapped>(
    _ wrapped: Schema<Wrapped>, isRequired: Bool
  ) -> Schema where Value == Wrapped? {
    let fill: Fill = { _, _, place in
      place.put(nil)
      return true
    }
    let absent: JSON? = isRequired ? .null : nil
    return Schema(
      expected: orNull(wrapped.expected), describe: { context in orNull(wrapped.describe(&context)) },
      missing: isRequired ? nil : fill, isSilentWhenMissing: !isRequired,
      read: { json, context, place in
        if json.isNull {
          place.put(nil)
          return true
        }
        let mark = context.mark
        if place.putSome({ wrapped.read(json, &context, $0) }) { return true }
        context.allowNull(since: mark)
        return false
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
      expected: orNull(wrapped.expected), describe: { context in orNull(wrapped.describe(&context)) },
      missing: { _, _, place in
        place.put(.keep)
        return true
      }, isSilentWhenMissing: true,
      read: { json, context, place in
        if json.isNull {
          place.put(.clear)
          return true
        }
        let mark = context.mark
        if let value = Place.filled(by: { wrapped.read(json, &context, $0) }) {
          place.put(.set(value))
          return true
        }
        context.allowNull(since: mark)
        return false
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

/// What is expected where null would do as well.
func orNull(_ expected: String) -> String {
  expected.hasSuffix(" or null") ? expected : expected + " or null"
}
