import Stoic
import StoicJSON

/// Documents near those that fit a kind, and some that are far.
struct Documents {
  private var generator: SplitMix

  init(seed: UInt64) {
    generator = SplitMix(seed: seed)
  }

  private static let atoms = [
    "null", "true", "false", "0", "-0", "1", "2", "3", "7", "9", "10", "-1", "-3", "-4", "127", "128", "-128",
    "-129",
    "255", "256", "65535", "65536", "1.0", "2.0", "1.5", "0.5", "0.49", "1e2", "2147483648", "4294967296",
    "\"\"", "\"a\"",
    "\"ab\"", "\"abc\"", "\"abcd\"", "\"é😀\"", "\"AB1\"", "\"AB1x\"", "\"AB\"", "\"é.7\"", "\"AB1\\n\"",
    "\"A-b\"",
    "\"new\"", "\"NEW\"", "\"paid\"", "\"42\"", "\"-7\"", "\"042\"", "\"1.5\"", "\"1.\"", "\"1e2\"",
    "\"true\"", "\"1\"",
    "\"123456789012345678\"", "\"1234567890123456789\"", "\"2024-02-29T00:00:00Z\"",
    "\"2023-02-29T00:00:00Z\"",
    "\"2000-02-29t23:59:60z\"", "\"1900-02-29T00:00:00Z\"", "\"2024-01-01T00:00:00.1234567890Z\"",
    "\"2024-04-31T00:00:00Z\"",
    "\"2024-01-01T23:59:60+00:00\"", "\"2024-01-01T23:59:60+01:00\"", "\"2024-01-01 00:00:00Z\"",
    "\"2024-01-01T24:00:00Z\"",
    "\"123E4567-E89B-12D3-A456-426614174000\"", "\"123E4567E89B12D3A456426614174000\"",
    "\"https://example.com\"",
    "\"https://example.com/ä\"", "\"a:\"", "\"a://\"", "\"a:///b\"", "\"a:b//c\"", "\"http://h:99999x/\"",
    "\"//h/p\"",
    "\"http://[::1]/\"", "\"http://[1:2:3:4:5:6:7:8]\"", "\"http://[1::2::3]\"", "\"http://[::1.2.3]\"",
    "\"http://[12345::]\"", "\"http://[::255.0.0.1]\"", "\"1990-12-31T15:59:60-08:00\"",
    "\"1990-12-31T15:59:60+08:00\"", "\"1991-01-01T00:59:60.25+01:00\"", "\"\u{E9}\"", "\"e\u{301}\"",
    "{\"group\":\"never\"}", "{\"group\":\"other\"}",
    "{\"group\":\"one\",\"a\":1,\"b\":2}", "{\"group\":\"all\"}", "\"http://h/%zz\"", "\"http://h?q#f#g\"",
    "[]", "[1]", "[true,false]",
    "[true,false,true]", "[null]",
    "[\"x\",1]", "{}", "{\"a\":1}", "{\"a\":1,\"b\":2}", "{\"id\":1}", "{\"type\":\"circle\"}",
    "{\"t\":\"number\"}",
    "{\"t\":\"x\"}", "{\"t\":\"dictionary\",\"a\":1}",
  ]
  private static let wideIntegers = [
    "9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809",
    "18446744073709551615", "18446744073709551616", "1e18", "1e19", "1e30", "0.9999999999999999999999",
  ]
  private static let keys = ["a", "b", "c", "d", "e", "id", "name", "type", "t", "group", "z"]

  /// Some documents for a kind; the same ones each time.
  mutating func documents(for kind: Kind, count: Int) throws -> [JSON] {
    let atoms = try (Self.atoms + (kind.isInexact ? [] : Self.wideIntegers)).map { try JSON(parsing: $0) }
    let seeds = try kind.seeds.map { try JSON(parsing: $0) }
    var documents = seeds + atoms
    while !seeds.isEmpty, documents.count < count {
      var document = seeds[below(seeds.count)]
      for _ in 0...below(2) { document = altered(document, atoms) }
      documents.append(document)
    }
    return documents
  }

  private mutating func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &generator) }

  /// The value with one part replaced, taken out, or added to.
  private mutating func altered(_ value: JSON, _ atoms: [JSON]) -> JSON {
    if let object = value.object, below(5) > 0 {
      var members = Array(object)
      let index = members.isEmpty ? 0 : below(members.count)
      switch below(4) {
      case 0 where !members.isEmpty: members.remove(at: index)
      case 1: members.append((Self.keys[below(Self.keys.count)], atoms[below(atoms.count)]))
      default: if !members.isEmpty { members[index].value = altered(members[index].value, atoms) }
      }
      return JSON(members)
    }
    if var elements = value.array, below(5) > 0 {
      let index = elements.isEmpty ? 0 : below(elements.count)
      switch below(4) {
      case 0 where !elements.isEmpty: elements.remove(at: index)
      case 1: elements.append(elements.randomElement(using: &generator) ?? atoms[below(atoms.count)])
      default: if !elements.isEmpty { elements[index] = altered(elements[index], atoms) }
      }
      return JSON(elements)
    }
    return atoms[below(atoms.count)]
  }
}
