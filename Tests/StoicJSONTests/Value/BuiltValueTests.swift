import StoicJSON
import Testing

@Suite("Values built by code")
struct BuiltValueTests {
  @Test("A value whose shared parts would be written without end is built, and fails where it is first wrong")
  func shared() throws {
    var value: JSON = [1]
    for _ in 0..<100 { value = [value, value] }
    let broken: JSON = ["x": JSON(Double.nan), "v": value]
    let error = try #require(throws: JSONWritingError.self) { try broken.serialized() }
    #expect(error.reason == .nonFiniteNumber && error.pointer == "/x")
    var mixed: JSON = [:]
    for _ in 0..<100 { mixed = ["k": mixed, "z": [mixed]] }
    #expect(mixed["k"]?["z"]?[0]?["k"] != nil)
  }

  @Test("A text longer than any first guess is written whole")
  func long() throws {
    let text = String(repeating: "x", count: 9 << 20)
    let bytes = try ([JSON(text), JSON(text)] as JSON).serialized()
    #expect(bytes.count == 2 * (text.utf8.count + 2) + 3)
  }

  @Test(
    "A double is an integer only where its text says the same one",
    arguments: [
      (0, 0), (-0.0, 0), (1e15, 1_000_000_000_000_000), (0x1p53, 9_007_199_254_740_992), (0x1p62, nil),
      (0x1p60, nil), (-0x1p63, nil), (0x1p63, nil), (1e300, nil), (1.5, nil), (.nan, nil), (.infinity, nil),
      (1e18, 1_000_000_000_000_000_000),
    ] as [(Double, Int?)])
  func doubles(double: Double, integer: Int?) throws {
    #expect(JSON(double).int == integer)
    if double.isFinite { #expect(try JSON(parsing: JSON(double).serialized()) == JSON(double)) }
  }
}
