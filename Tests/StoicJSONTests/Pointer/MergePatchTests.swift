import StoicJSON
import Testing

@Suite("Merge patches (RFC 7396)")
struct MergePatchTests {
  @Test(
    "The RFC's test cases",
    arguments: [
      (#"{"a":"b"}"#, #"{"a":"c"}"#, #"{"a":"c"}"#),
      (#"{"a":"b"}"#, #"{"b":"c"}"#, #"{"a":"b","b":"c"}"#),
      (#"{"a":"b"}"#, #"{"a":null}"#, "{}"),
      (#"{"a":"b","b":"c"}"#, #"{"a":null}"#, #"{"b":"c"}"#),
      (#"{"a":["b"]}"#, #"{"a":"c"}"#, #"{"a":"c"}"#),
      (#"{"a":"c"}"#, #"{"a":["b"]}"#, #"{"a":["b"]}"#),
      (#"{"a":{"b":"c"}}"#, #"{"a":{"b":"d","c":null}}"#, #"{"a":{"b":"d"}}"#),
      (#"{"a":[{"b":"c"}]}"#, #"{"a":[1]}"#, #"{"a":[1]}"#),
      (#"["a","b"]"#, #"["c","d"]"#, #"["c","d"]"#),
      (#"{"a":"b"}"#, #"["c"]"#, #"["c"]"#),
      (#"{"a":"foo"}"#, "null", "null"),
      (#"{"a":"foo"}"#, #""bar""#, #""bar""#),
      (#"{"e":null}"#, #"{"a":1}"#, #"{"e":null,"a":1}"#),
      ("[1,2]", #"{"a":"b","c":null}"#, #"{"a":"b"}"#),
      ("{}", #"{"a":{"bb":{"ccc":null}}}"#, #"{"a":{"bb":{}}}"#),
    ])
  func examples(original: String, patch: String, expected: String) throws {
    let merged = try JSON(parsing: original).merging(patch: JSON(parsing: patch))
    #expect(merged.description == expected)
  }

  @Test("The RFC's worked example: a title changed, a phone added, a name removed")
  func document() throws {
    let original = try JSON(
      parsing: #"""
        {"title": "Goodbye!", "author": {"givenName": "John", "familyName": "Doe"},
         "tags": ["example", "sample"], "content": "This will be unchanged"}
        """#)
    let patch = try JSON(
      parsing: #"""
        {"title": "Hello!", "phoneNumber": "+01-123-456-7890", "author": {"familyName": null},
         "tags": ["example"]}
        """#)
    let expected = try JSON(
      parsing: #"""
        {"title": "Hello!", "author": {"givenName": "John"}, "tags": ["example"],
         "content": "This will be unchanged", "phoneNumber": "+01-123-456-7890"}
        """#)
    #expect(original.merging(patch: patch) == expected)
    #expect(original.merging(patch: patch).object?.keys == expected.object?.keys)
  }

  @Test("A patch far deeper than the limit is merged on a small stack")
  func deep() {
    let outcome = onSmallStack {
      var patch: JSON = ["end": 1, "gone": .null]
      for _ in 0..<100_000 {
        patch = ["v": patch]
      }
      var value = (["v": 1] as JSON).merging(patch: patch)
      for _ in 0..<100_000 {
        value = value["v"] ?? .null
      }
      return value == ["end": 1]
    }
    #expect(outcome == true)
  }
}
