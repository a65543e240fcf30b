import StoicJSON
import Testing

/// Each input is so large that quadratic work would take hours.
@Suite("Large inputs take linear time", .timeLimit(.minutes(30)))
struct LinearTimeTests {
  @Test("JS-13: A string of 9 MB")
  func longString() throws {
    let text = [0x22] + [UInt8](repeating: 0x61, count: 9_000_000) + [0x22]
    #expect(try JSON(parsing: text).string?.utf8.count == 9_000_000)
  }

  @Test("JS-13: A string of a million escapes")
  func manyEscapes() throws {
    let text = "\"" + String(repeating: "\\u0041", count: 1_000_000) + "\""
    #expect(try JSON(parsing: text).string?.utf8.count == 1_000_000)
  }

  @Test("JS-13: An array of a million elements")
  func manyElements() throws {
    let text = "[" + String(repeating: "0,", count: 999_999) + "0]"
    #expect(try JSON(parsing: text).array?.count == 1_000_000)
  }

  @Test("An object of 50,000 keys, read, looked up and compared in another order")
  func manyKeys() throws {
    let keys = (0..<50_000).map { "key\($0)" }
    let one = try JSON(parsing: "{" + keys.map { "\"\($0)\":0" }.joined(separator: ",") + "}")
    let other = JSON(keys.reversed().map { (key: $0, value: JSON(0)) })
    #expect(keys.allSatisfy { one[$0]?.int == 0 })
    #expect(one == other)
  }

  @Test("JS-08: A number of a million digits")
  func longNumber() throws {
    let nines = try JSON(parsing: "{\"n\":" + String(repeating: "9", count: 1_000_000) + "}")["n"]
    #expect(nines?.int == nil)
    #expect(nines?.double == nil)
    #expect(nines == nines.map { [$0] }?[0])
    let exponent = try JSON(parsing: "1e" + String(repeating: "9", count: 9_000))
    #expect(exponent.int == nil)
    #expect(exponent.double == nil)
    let tiny = try JSON(parsing: "0." + String(repeating: "0", count: 200_000) + "1e200001")
    #expect(tiny.int == 1)
    #expect(tiny.double == 1)
    let third = try JSON(parsing: "0." + String(repeating: "3", count: 200_000))
    #expect(third.double == 1.0 / 3)
    #expect(third.int == nil)
  }
}
