import Testing

@Suite("Reading Swift")
struct LexerTests {
  @Test(
    "Code, texts and comments are told apart",
    arguments: [
      (#"a("b // c") // d"#, ["a", "(", "<b // c>", ")"]), ("a /* b /* c */ d */ e", ["a", "e"]),
      ("\"\"\"\n b\"c \n\"\"\" d", ["<\n b\"c \n>", "d"]), (##"#"a"b\(c)"# d"##, [#"<a"b\(c)>"#, "d"]),
      (#""a\(b("c", d))e" f"#, ["(", "b", "(", "<c>", ",", "d", ")", ")", "<ae>", "f"]),
      (#""a\"b" c"#, [#"<a"b>"#, "c"]), ("`a b` c", ["a b", "c"]), ("\"open\nb", ["<open>", "b"]),
      (##"#"a\#(b)"#"##, ["(", "b", ")", "<a>"]), ("#if x", ["#", "if", "x"]),
      (##"#/a"b/# c"##, ["<a\"b>", "c"]),
      (##"#"""# a"##, ["<\">", "a"]), ("#\"\"\"\n a\n\"\"\"# b", ["<\n a\n>", "b"]),
      ("\"open", ["<open>"]), ("/* open", []), ("`open", ["ope"]), (#""\"#, [#"<\>"#]), ("", []),
    ])
  func tokens(text: String, expected: [String]) {
    #expect(Lexer(text).tokens.map { $0.kind == .string ? "<\($0.text)>" : $0.text } == expected)
  }

  @Test("Each line of a comment knows its place and whether it is documentation")
  func comments() {
    let comments = Lexer("a // one\n/// two\n/* three\nfour */ b\n/** five */").comments
    #expect(comments.map(\.line) == [1, 2, 3, 4, 5])
    #expect(comments.map(\.text) == ["// one", "/// two", "/* three", "four */", "/** five */"])
    #expect(comments.map(\.isDocumentation) == [false, true, false, false, true])
  }

  @Test("A token knows its line after texts and comments of several lines")
  func lines() {
    #expect(Lexer("\"\"\"\na\n\"\"\"\nb /*\n*/ c\nd").tokens.map(\.line) == [1, 4, 5, 6])
  }
}
