public import Foundation
import StoicJSON

extension Schema where Value == UUID {
  /// A UUID as RFC 9562 writes it, 32 hexadecimal digits in five groups; in lower case when written.
  ///
  /// Other strings are an issue with the code `.format`.
  public static var uuid: Schema {
    text(
      "UUID", format: "uuid", uuidPattern, read: { UUID(uuidString: $0) },
      write: { $0.uuidString.lowercased() })
  }
}

extension Schema where Value == URL {
  /// An absolute URI of RFC 3986 in ASCII: with a scheme, and everything else percent-encoded.
  ///
  /// The part behind `//`, if there is one, is a registered name, an IPv4 address or an IPv6 address in
  /// brackets and without a zone, with a port of up to five digits and a user. Other strings are an issue with
  /// the code `.format`.
  public static var url: Schema {
    text(
      "URL", format: "uri", urlPattern, read: { URL(string: $0, encodingInvalidCharacters: false) },
      write: { $0.absoluteString })
  }
}

private let uuidPattern = Pattern(ofProgram: "[0-9A-Fa-f]{8}-(?:[0-9A-Fa-f]{4}-){3}[0-9A-Fa-f]{12}")

private let urlPattern: Pattern = {
  let plain = "A-Za-z0-9._~!$&'()*+,;=\\-"
  let encoded = "%[0-9A-Fa-f]{2}"
  let host = "(?:\\[\(address)\\]|(?:[\(plain)]|\(encoded))*)"
  let authority = "(?:(?:[\(plain):]|\(encoded))*@)?\(host)(?::[0-9]{0,5})?"
  let path = "(?:[\(plain):@]|\(encoded))"
  let rest = "(?:\\?(?:[\(plain):@/?]|\(encoded))*)?(?:#(?:[\(plain):@/?]|\(encoded))*)?"
  return Pattern(
    ofProgram:
      "[A-Za-z][A-Za-z0-9+.\\-]*:(?://\(authority)(?:/\(path)*)*|/?(?:\(path)+(?:/\(path)*)*)?)\(rest)")
}()

/// An IPv6 address as RFC 3986, section 3.2.2, has it.
private let address: String = {
  let group = "[0-9A-Fa-f]{1,4}"
  let byte = "(?:[0-9]|[1-9][0-9]|1[0-9]{2}|2[0-4][0-9]|25[0-5])"
  /// What comes last: two groups, or as much as four bytes.
  let last = "(?:\(group):\(group)|\(byte)(?:\\.\(byte)){3})"
  var forms = ["(?:\(group):){6}\(last)"]
  for count in 0...7 {
    // Up to `count` groups before the gap, and all the others but one behind it.
    let front = count == 0 ? "" : "(?:(?:\(group):){0,\(count - 1)}\(group))?"
    let behind =
      switch count {
      case 0...5: "(?:\(group):){\(5 - count)}\(last)"
      case 6: group
      default: ""
      }
    forms.append("\(front)::\(behind)")
  }
  return "(?:\(forms.joined(separator: "|")))"
}()

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
