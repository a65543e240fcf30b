import StoicJSON
import StoicSchema
import Testing

@Suite("Patterns", .timeLimit(.minutes(30)))
struct PatternTests {
  @Test(
    "A pattern matches what its expression says",
    arguments: [
      ("abc", "abc", true), ("abc", "abcd", false), ("a|b", "b", true), ("a|", "", true), ("", "", true),
      ("", "a", false),
      ("a*", "aaaa", true), ("a+", "", false), ("a?b", "b", true), ("a{2}", "aa", true),
      ("a{2}", "aaa", false),
      ("a{2,}", "aaaa", true), ("a{2,3}", "aaaa", false), ("a{0}", "", true), ("(ab|c)*d", "abcabd", true),
      ("(?:a|b){2}", "ba", true), (".", "é", true), (".", "\n", false), (".", "\u{2028}", false),
      ("[a-c]", "b", true),
      ("[^a-c]", "b", false), ("[^a-c]", "\n", true), ("[]", "a", false), ("[^]", "\n", true),
      ("[a-]", "-", true),
      (#"[\]\-]"#, "]", true), (#"\d\w\s"#, "1_ ", true), (#"\d"#, "٣", false), (#"\D\W\S"#, "a-b", true),
      (#"\.\*\/"#, ".*/", true), ("😀+", "😀😀", true), ("e\u{301}", "\u{E9}", false), ("(((a)))", "a", true),
      ("(a*)*", "aaa", true), ("(|a)+", "aa", true), ("((((){1000}){1000}){1000}){1000}", "", true),
      (#"\n\t\r\f\v"#, "\n\t\r\u{C}\u{B}", true),
    ])
  func matches(pattern: String, text: String, isMatch: Bool) throws {
    #expect(try Pattern(pattern).matches(text) == isMatch)
  }

  @Test(
    "What is not of the syntax is an error",
    arguments: [
      "(", ")", "[", "[a", "a**", "a+?", "*a", "{2}", "a{", "a{2", "a{3,2}", "a{1001}", "^a", "a$", #"\"#,
      #"\b"#, #"\1"#,
      #"\k<a>"#, "(?=a)", "(?<a>b)", "[b-a]", #"[\d-z]"#, #"[\D]"#, "[[a]]", "a]", "a}", "((a{1000}){1000})",
      String(repeating: "(", count: 60) + String(repeating: ")", count: 60),
      String(repeating: "(", count: 100_000),
    ])
  func refused(pattern: String) {
    #expect(throws: PatternError.self) { try Pattern(pattern) }
  }

  @Test("An expression that makes other engines hang takes linear time")
  func linear() throws {
    let text = String(repeating: "a", count: 20_000)
    for pattern in ["(a+)+b", "(a|a)*b", "(a*)*b", "(a|aa)+b", "(.*)*(.*)*b", "([a-z]+)*[0-9]"] {
      #expect(try !Pattern(pattern).matches(text))
    }
    #expect(try Pattern("(a?){500}a{500}").matches(String(repeating: "a", count: 500)))
  }

  @Test(
    "A text that is no pattern makes a schema that no string fits, and that says why",
    arguments: ["(", "a{2", "[z-a]"])
  func wrongPattern(text: String) throws {
    let schema = Schema.string(matching: text)
    let failure = #expect(throws: ValidationFailure.self) { try schema.decode("a") }
    #expect(failure?.issues.count == 1)
    #expect(failure?.issues.first?.message.contains("a pattern, which is wrong itself") == true)
    #expect(schema.encode("a") == "a")
    #expect(schema.jsonSchema["not"] != nil || schema.jsonSchema["allOf"] != nil)
  }
}
