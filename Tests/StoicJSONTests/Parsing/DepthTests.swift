import StoicJSON
import Testing

@Suite("Depth, on a stack of 512 KiB")
struct DepthTests {
  private static let limit = 512

  private static func nested(_ depth: Int, _ style: Int) -> String {
    switch style {
    case 0: String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    case 1:
      String(repeating: "{\"v\":", count: depth - 1) + "{}" + String(repeating: "}", count: depth - 1)
    default:
      String(repeating: "[{\"v\":", count: depth / 2) + (depth.isMultiple(of: 2) ? "1" : "[]")
        + String(repeating: "}]", count: depth / 2)
    }
  }

  /// How deep a value is, found by going down.
  private static func depth(of value: JSON) -> Int {
    var value = value
    var depth = 0
    while let inner = value[0] ?? value["v"] {
      value = inner
      depth += 1
    }
    return depth + (value.array == nil && value.object == nil ? 0 : 1)
  }

  @Test("JS-01: The limit parses and one level more is refused", arguments: 0..<3)
  func limit(style: Int) {
    #expect(onSmallStack { parsingError(Self.nested(Self.limit, style)) == nil } == true)
    let tooDeep = Self.nested(Self.limit + 1, style)
    #expect(onSmallStack { parsingError(tooDeep)?.reason } == .tooDeep)
  }

  @Test("JS-01: The error of the first level too many has its place")
  func placeOfTooDeep() {
    let error = parsingError(Self.nested(Self.limit + 1, 0))
    #expect(error?.reason == .tooDeep)
    #expect(error?.offset == Self.limit)
    #expect(error?.pointer == String(repeating: "/0", count: Self.limit))
  }

  @Test(
    "JS-01: A depth bomb is an error",
    arguments: [("[", ""), ("{\"v\":", ""), ("[", "]"), ("[{\"v\":", "}]")])
  func bomb(opening: String, closing: String) async {
    let text = String(repeating: opening, count: 1_000_000) + String(repeating: closing, count: 1_000_000)
    #expect(onSmallStack { parsingError(text)?.reason } == .tooDeep)
    #expect(await Task { parsingError(text)?.reason }.value == .tooDeep)
  }

  @Test("JS-02: A bomb in a member that nobody asks for is an error")
  func bombInIgnoredMember() {
    let text = "{\"ok\":1,\"ignored\":" + String(repeating: "[", count: 1_000_000)
    #expect(onSmallStack { parsingError(text)?.reason } == .tooDeep)
  }

  @Test("JS-02: A value at the limit compares, hashes, prints, writes and is freed", arguments: 0..<3)
  func deepValue(style: Int) {
    let text = Self.nested(Self.limit, style)
    let outcome = onSmallStack {
      guard let one = try? JSON(parsing: text), let other = try? JSON(parsing: text) else { return false }
      let mirrored = Mirror(reflecting: one).children.isEmpty
      return one == other && one.hashValue == other.hashValue && one.description == text && mirrored
        && (try? one.serialized()) == Array(text.utf8)
        && (try? JSON(parsing: one.serialized([.pretty, .sortedKeys]))) == one
        && (try? JSON(parsing: one.serialized(.canonical))) == one
        && one.merging(patch: other) == one && Self.depth(of: one) == Self.limit
    }
    #expect(outcome == true)
  }

  @Test("JS-02: A value built far beyond the limit compares, prints and is freed, and writing it is an error")
  func builtValue() {
    let depth = 200_000
    let outcome = onSmallStack {
      func build(_ innermost: JSON) -> JSON {
        var value = innermost
        for level in 0..<depth {
          value = level.isMultiple(of: 2) ? [value] : ["v": value]
        }
        return value
      }
      let value = build(1)
      return value == build(1) && value != build(2) && value.hashValue == build(1).hashValue
        && value.description.utf8.count == depth / 2 * 8 + 1
        && writingError(value)?.reason == .tooDeep
    }
    #expect(outcome == true)
  }

  @Test("A deep value is freed whichever part of it is held longest")
  func sharedParts() {
    let outcome = onSmallStack {
      var value: JSON = 1
      var parts: [JSON] = []
      for level in 0..<100_000 {
        value = [value, .null]
        if level.isMultiple(of: 10_000) { parts.append(value) }
      }
      let elements = value.array
      value = .null
      let middle = parts.remove(at: 5)
      parts = []
      return elements?.count == 2 && middle[1] == .null
    }
    #expect(outcome == true)
  }

  @Test("Writing refuses the level after the limit and no earlier one")
  func writingLimit() {
    var value: JSON = 1
    for _ in 0..<Self.limit {
      value = [value]
    }
    #expect(writingError(value) == nil)
    #expect(writingError([value])?.reason == .tooDeep)
    #expect(writingError([value])?.description == "nested deeper than 512 levels")
  }
}
