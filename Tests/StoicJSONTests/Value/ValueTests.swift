import StoicJSON
import Testing

@Suite("Values")
struct ValueTests {
  private static let value: JSON = [
    "users": [["name": "Ada", "admin": true, "age": 36, "score": 1.5, "boss": .null]]
  ]

  @Test("Members and elements are reached by chains of subscripts")
  func access() {
    let user = Self.value["users"]?[0]
    #expect(user?["name"]?.string == "Ada")
    #expect(user?["admin"]?.bool == true)
    #expect(user?["age"]?.int == 36)
    #expect(user?["score"]?.double == 1.5)
    #expect(user?["boss"]?.isNull == true)
    #expect(user?.object?.count == 5)
    #expect(Self.value["users"]?.array?.count == 1)
  }

  @Test("What is not there or of another kind is nil, not a trap")
  func absent() {
    #expect(Self.value["nobody"] == nil)
    #expect(Self.value["users"]?[1] == nil)
    #expect(Self.value["users"]?[-1] == nil)
    #expect(Self.value["users"]?[.max] == nil)
    #expect(Self.value["users"]?["name"] == nil)
    #expect(Self.value[0] == nil)
    #expect(Self.value.string == nil && Self.value.array == nil && !Self.value.isNull)
    #expect(JSON.null.object == nil && JSON(true).array == nil && JSON("x").bool == nil)
  }

  @Test("A missing member and a null one differ")
  func missingAndNull() {
    let value: JSON = ["there": .null]
    #expect(value["there"] == .null)
    #expect(value["there"] != nil)
    #expect(value["gone"] == nil)
    #expect(value["gone"]?.isNull == nil)
  }

  @Test("Literals of every kind make values, in the order written")
  func literals() {
    let value: JSON = ["id": 1, "tags": ["a", "b"], "none": .null, "ok": true, "x": 1.5, "s": "\(1 + 1)"]
    #expect(value.description == #"{"id":1,"tags":["a","b"],"none":null,"ok":true,"x":1.5,"s":"2"}"#)
  }

  @Test("A repeated key in a literal does not trap: the last value counts, in the first place")
  func repeatedKey() {
    let value: JSON = ["a": 1, "b": 2, "a": 3]
    #expect(value.description == #"{"a":3,"b":2}"#)
    let equivalent: JSON = ["\u{E9}": 1, "e\u{301}": 2]
    #expect(equivalent.object?.count == 2)
  }

  @Test("Initializers make the same values as literals")
  func initializers() {
    #expect(JSON("a") == "a" && JSON(true) == true && JSON(2) == 2 && JSON(2.5) == 2.5 && JSON(UInt8(7)) == 7)
    #expect(JSON([JSON(1), "x"]) == [1, "x"])
    #expect(JSON((1...3).lazy.map { JSON($0) }) == [1, 2, 3])
    #expect(JSON([(key: "a", value: JSON(1))]) == ["a": 1])
  }

  @Test("Objects are equal in any order of their members, arrays are not")
  func order() {
    let one: JSON = ["a": 1, "b": [1, 2]]
    let other: JSON = ["b": [1, 2], "a": 1]
    #expect(one == other)
    #expect(one.hashValue == other.hashValue)
    #expect(one.object == other.object)
    #expect(one != ["a": 1, "b": [2, 1]])
    #expect(one != ["a": 1, "c": [1, 2]])
    #expect(one != ["a": 1])
    #expect([1] != [[1]] as JSON)
  }

  @Test("Strings are equal by their bytes")
  func stringEquality() {
    #expect(JSON("\u{E9}") != JSON("e\u{301}"))
    #expect(JSON("a") == "a" && JSON("a") != "A" && JSON("1") != 1)
    #expect(["\u{E9}": 1] as JSON != ["e\u{301}": 1])
  }

  @Test("Values of different kinds differ")
  func kinds() {
    let values: [JSON] = [.null, false, 0, "", [], [:]]
    #expect(Set(values).count == values.count)
  }

  @Test("An object is a collection of its members")
  func object() throws {
    let object = try #require((["b": 1, "a": 2] as JSON).object)
    #expect(object.keys == ["b", "a"] && object.values == [1, 2] && object.count == 2)
    #expect(object["a"] == 2 && object["c"] == nil)
    #expect(object.map { "\($0.key)=\($0.value)" } == ["b=1", "a=2"])
    #expect(object.description == #"{"b":1,"a":2}"#)
    #expect(Set([object]).count == 1)
  }

  @Test("A dump is JSON text")
  func dumped() {
    var text = ""
    dump(["a": [1, "x"]] as JSON, to: &text)
    #expect(text == "- {\"a\":[1,\"x\"]}\n")
    #expect(String(reflecting: ["a": 1] as JSON) == "{\"a\":1}")
  }
}
