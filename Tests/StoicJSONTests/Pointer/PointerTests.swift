import StoicJSON
import Testing

@Suite("JSON Pointers (RFC 6901)")
struct PointerTests {
  /// The document of the RFC's section 5.
  private static func document() throws -> JSON {
    try JSON(
      parsing: #"""
        {"foo": ["bar", "baz"], "": 0, "a/b": 1, "c%d": 2, "e^f": 3, "g|h": 4, "i\\j": 5, "k\"l": 6, " ": 7,
         "m~n": 8}
        """#)
  }

  @Test(
    "The RFC's examples lead where it says",
    arguments: [
      ("/foo", ["bar", "baz"]), ("/foo/0", "bar"), ("/", 0), ("/a~1b", 1), ("/c%d", 2), ("/e^f", 3),
      ("/g|h", 4), ("/i\\j", 5), ("/k\"l", 6), ("/ ", 7), ("/m~0n", 8),
    ] as [(String, JSON)])
  func examples(pointer: String, expected: JSON) throws {
    #expect(try Self.document()[pointer: pointer] == expected)
    #expect(JSON.Pointer(pointer)?.description == pointer)
  }

  @Test(
    "The RFC's examples as fragments of a URI lead to the same places",
    arguments: [
      ("#/foo", ["bar", "baz"]), ("#/foo/0", "bar"), ("#/", 0), ("#/a~1b", 1), ("#/c%25d", 2),
      ("#/e%5Ef", 3), ("#/g%7Ch", 4), ("#/i%5Cj", 5), ("#/k%22l", 6), ("#/%20", 7), ("#/m~0n", 8),
    ] as [(String, JSON)])
  func fragments(fragment: String, expected: JSON) throws {
    let pointer = try #require(JSON.Pointer(fragment: fragment))
    #expect(try Self.document()[pointer: pointer] == expected)
  }

  @Test("The empty pointer is the whole value")
  func whole() throws {
    let document = try Self.document()
    #expect(document[pointer: ""] == document)
    #expect(JSON.Pointer(fragment: "#")?.tokens == [])
  }

  @Test(
    "What is not there is nil",
    arguments: [
      "/foo/2", "/foo/-", "/foo/00", "/foo/01", "/foo/+1", "/foo/-1", "/foo/1e0", "/foo/٠", "/bar",
      "/foo/0/0", "/foo/99999999999999999999", "/foo/",
    ])
  func missing(pointer: String) throws {
    #expect(try Self.document()[pointer: pointer] == nil)
  }

  @Test(
    "A text that is no pointer is refused", arguments: ["foo", "foo/0", "/~", "/~2", "/a~", " /foo", "#/foo"])
  func malformed(text: String) throws {
    #expect(JSON.Pointer(text) == nil)
    #expect(try Self.document()[pointer: text] == nil)
  }

  @Test("A fragment with a broken percent encoding is refused", arguments: ["#/%", "#/%2", "#/%zz", "#/%FF"])
  func malformedFragment(text: String) {
    #expect(JSON.Pointer(fragment: text) == nil)
  }

  @Test("~01 is a tilde and a one, and tokens keep their bytes")
  func escapes() throws {
    #expect(JSON.Pointer("/~01")?.tokens == ["~1"])
    #expect(JSON.Pointer(["~1", "a/b", ""]).description == "/~01/a~1b/")
    #expect(JSON.Pointer("/\u{E9}") != JSON.Pointer("/e\u{301}"))
    #expect(Set([JSON.Pointer("/a"), JSON.Pointer(["a"])]).count == 1)
  }

  @Test("The pointer of an error leads to the place of it")
  func errorPointer() throws {
    let error = try #require(writingError(["a/b": [1, ["~": JSON(Double.nan)]]]))
    let value: JSON = ["a/b": [1, ["~": "here"]]]
    #expect(value[pointer: error.pointer] == "here")
  }
}
