public import Foundation
import StoicJSON

extension Schema where Value == UUID {
  /// A UUID as RFC 9562 writes it, 32 hexadecimal digits in five groups; in lower case when written.
  ///
  /// Other strings are an issue with the code `.format`.
  public static var uuid: Schema {
    let pattern = Pattern(ofProgram: "[0-9A-Fa-f]{8}-(?:[0-9A-Fa-f]{4}-){3}[0-9A-Fa-f]{12}")
    return text(
      "UUID", format: "uuid", pattern, read: { UUID(uuidString: $0) },
      write: { $0.uuidString.lowercased() })
  }
}

extension Schema where Value == URL {
  /// An absolute URI of RFC 3986 in ASCII: with a scheme, and everything else percent-encoded.
  ///
  /// The part behind `//`, if there is one, is a registered name or an IPv4 address, with a port of up to
  /// five digits and a user; IPv6 addresses are not accepted. Other strings are an issue with the code
  /// `.format`.
  public static var url: Schema {
    let plain = "A-Za-z0-9._~!$&'()*+,;=\\-"
    let encoded = "%[0-9A-Fa-f]{2}"
    let authority = "(?:(?:[\(plain):]|\(encoded))*@)?(?:[\(plain)]|\(encoded))*(?::[0-9]{0,5})?"
    let path = "(?:[\(plain):@]|\(encoded))"
    let rest = "(?:\\?(?:[\(plain):@/?]|\(encoded))*)?(?:#(?:[\(plain):@/?]|\(encoded))*)?"
    let pattern = Pattern(
      ofProgram:
        "[A-Za-z][A-Za-z0-9+.\\-]*:(?://\(authority)(?:/\(path)*)*|/?(?:\(path)+(?:/\(path)*)*)?)\(rest)")
    return text(
      "URL", format: "uri", pattern, read: { URL(string: $0, encodingInvalidCharacters: false) },
      write: { $0.absoluteString })
  }
}

extension Schema {
  /// A string of a form that is known by a pattern.
  fileprivate static func text(
    _ name: String, format: String, _ pattern: Pattern, read: @escaping @Sendable (String) -> Value?,
    write: @escaping @Sendable (Value) -> String
  ) -> Schema {
    Schema(
      expected: name, export: ["type": "string", "format": JSON(format), "pattern": JSON(pattern.export)],
      read: { json, context, place in
        guard let text = json.string else {
          context.recordMismatch(expected: name, found: json)
          return false
        }
        guard pattern.matches(text), let value = read(text) else {
          context.record(.format, offset: json.start, .kinds(expected: name, found: "another string"))
          return false
        }
        place.put(value)
        return true
      },
      write: { JSON(write($0)) })
  }
}
