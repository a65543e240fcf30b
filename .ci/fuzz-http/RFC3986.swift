import Foundation

private let letters = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8)
private let digits = Set("0123456789".utf8)
private let unreserved = letters.union(digits).union("-._~".utf8)
private let name = unreserved.union("!$&'()*+,;=".utf8)
private let segment = name.union(":@".utf8)

func isHex(_ byte: UInt8) -> Bool { digits.contains(byte) || "abcdefABCDEF".utf8.contains(byte) }

/// Whether bytes are an absolute http or https URL by the grammar of RFC 3986, appendix A, with a path,
/// without user info and fragment, the scheme in small letters.
func isStrictURL(_ bytes: [UInt8]) -> Bool {
  var rest = bytes[...]
  for scheme in ["https://", "http://"] where rest.starts(with: scheme.utf8) {
    rest = rest.dropFirst(scheme.utf8.count)
    let authority = rest.prefix { $0 != UInt8(ascii: "/") }
    rest = rest.dropFirst(authority.count)
    let path = rest.prefix { $0 != UInt8(ascii: "?") }
    let query = rest.dropFirst(path.count + 1)
    return isAuthority(authority) && !path.isEmpty && consists(path, of: segment.union("/".utf8))
      && consists(query, of: segment.union("/?".utf8))
  }
  return false
}

private func isAuthority(_ bytes: ArraySlice<UInt8>) -> Bool {
  var host = bytes
  if host.first == UInt8(ascii: "[") {
    guard let end = host.firstIndex(of: UInt8(ascii: "]")) else { return false }
    let address = host[..<end].dropFirst()
    guard !address.isEmpty, consists(address, of: name.union(":".utf8)) else { return false }
    host = host[(end + 1)...]
  } else {
    let length = host.prefix { $0 != UInt8(ascii: ":") }.count
    guard length > 0, consists(host.prefix(length), of: name) else { return false }
    host = host.dropFirst(length)
  }
  guard host.first == UInt8(ascii: ":") else { return host.isEmpty }
  return host.count > 1 && host.dropFirst().allSatisfy(digits.contains)
}

private func consists(_ bytes: ArraySlice<UInt8>, of allowed: Set<UInt8>) -> Bool {
  var rest = bytes
  while let byte = rest.popFirst() {
    if byte == UInt8(ascii: "%") {
      guard rest.count >= 2, rest.prefix(2).allSatisfy(isHex) else { return false }
      rest = rest.dropFirst(2)
    } else if !allowed.contains(byte) {
      return false
    }
  }
  return true
}

/// Resolves references by the letter of RFC 3986, section 5.2, taken apart with the expression of appendix B.
enum RFCResolver {
  private typealias Parts = (scheme: String?, authority: String?, path: String, query: String?)

  /// Nil where the bytes are no reference that needs no repair, or go by rules of the client's own: escaped
  /// dots, an authority that is spelled in another way, a scheme without one.
  static func resolve(_ bytes: [UInt8], against base: [UInt8]) -> [UInt8]? {
    let fragmentless = bytes.prefix { $0 != UInt8(ascii: "#") }
    guard consists(fragmentless, of: segment.union("/?".utf8)) else { return nil }
    let text = String(decoding: fragmentless, as: UTF8.self)
    guard !text.lowercased().contains("%2e") else { return nil }
    let (reference, base) = (parts(text), parts(String(decoding: base, as: UTF8.self)))
    var result = reference
    if reference.scheme != nil {
      guard reference.scheme == "http" || reference.scheme == "https", reference.authority != nil else {
        return nil
      }
      result.path = removingDots(reference.path)
    } else {
      result.scheme = base.scheme
      if reference.authority != nil {
        result.path = removingDots(reference.path)
      } else {
        result.authority = base.authority
        if reference.path.isEmpty {
          result.path = base.path
          result.query = reference.query ?? base.query
        } else if reference.path.first == "/" {
          result.path = removingDots(reference.path)
        } else {
          let folder = base.path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
          result.path = removingDots((folder + [Substring(reference.path)]).joined(separator: "/"))
        }
      }
    }
    guard let scheme = result.scheme, let authority = result.authority, authority == authority.lowercased(),
      !authority.contains(":") || authority == base.authority, !authority.contains("%")
    else { return nil }
    let path = result.path.isEmpty ? "/" : result.path
    return Array("\(scheme)://\(authority)\(path)\(result.query.map { "?" + $0 } ?? "")".utf8)
  }

  /// Whether a reference with nothing that needs repair names a user in its authority.
  static func carriesUserInfo(_ bytes: [UInt8]) -> Bool {
    let fragmentless = bytes.prefix { $0 != UInt8(ascii: "#") }
    guard consists(fragmentless, of: segment.union("/?".utf8)) else { return false }
    return parts(String(decoding: fragmentless, as: UTF8.self)).authority?.contains("@") ?? false
  }

  private static func parts(_ text: String) -> Parts {
    var rest = Substring(text)
    var parts: Parts = (nil, nil, "", nil)
    let scheme = rest.prefix { !":/?".contains($0) }
    if !scheme.isEmpty, rest.dropFirst(scheme.count).first == ":", let first = scheme.utf8.first,
      letters.contains(first),
      scheme.utf8.allSatisfy({ letters.union(digits).union("+-.".utf8).contains($0) })
    {
      parts.scheme = String(scheme)
      rest = rest.dropFirst(scheme.count + 1)
    }
    if rest.hasPrefix("//") {
      let authority = rest.dropFirst(2).prefix { $0 != "/" && $0 != "?" }
      parts.authority = String(authority)
      rest = rest.dropFirst(2 + authority.count)
    }
    let path = rest.prefix { $0 != "?" }
    parts.path = String(path)
    if path.count < rest.count { parts.query = String(rest.dropFirst(path.count + 1)) }
    return parts
  }

  /// Section 5.2.4, step by step: an input that shrinks and an output that grows.
  private static func removingDots(_ path: String) -> String {
    var input = Substring(path)
    var output = ""
    while !input.isEmpty {
      if input.hasPrefix("../") {
        input = input.dropFirst(3)
      } else if input.hasPrefix("./") || input.hasPrefix("/./") {
        input = input.dropFirst(2)
      } else if input == "/." {
        input = "/"
      } else if input.hasPrefix("/../") || input == "/.." {
        input = input == "/.." ? "/" : input.dropFirst(3)
        output = output.lastIndex(of: "/").map { String(output[..<$0]) } ?? ""
      } else if input == "." || input == ".." {
        input = ""
      } else {
        let length = input.dropFirst().prefix { $0 != "/" }.count + 1
        output += input.prefix(length)
        input = input.dropFirst(length)
      }
    }
    return output
  }
}
