import StoicHTTP

extension Check {
  /// Responses to the byte, from a server that knows nothing of HTTP: odd, senseless and cut ones.
  static let rawResponses: [Check] = [
    Check("raw: what is odd but legal, or harmless, is a response", needs: [.raw]) { probe in
      try await probe.expect([
        ("HTTP/1.1 200 |Content-Length: 5||hello", .text("hello")),
        ("HTTP/1.1 200 OK|Content-Length:      5   ||hello", .text("hello")),
        ("HTTP/1.1 200 OK|cOnTeNt-LeNgTh: 5||hello and more", .text("hello")),
        ("HTTP/1.1 200 OK|Content-Length: 5, 5||hello", .text("hello")),
        ("HTTP/1.1 200 OK|Content-Length: 5|content-length: 5||hello", .text("hello")),
        ("HTTP/1.1 200 OK|Content-Length: 0005||hello", .text("hello")),
        ("HTTP/1.1 200 OK|X: a|\tb|Content-Length: 5||hello", .text("hello")),
        ("HTTP/1.1 200 OK||hello", .text("hello")),
        ("HTTP/1.0 200 OK||hello", .text("hello")),
        ("HTTP/1.1 200 OK|Connection: close|Content-Length: 0||", .text("")),
        ("HTTP/1.1 200 OK|Content-Length: 50000|Transfer-Encoding: Chunked||5;a=b|hello|0||", .text("hello")),
        ("HTTP/1.1 200 OK|Transfer-Encoding: chunked|Content-Length: 2||5|hello|0||", .text("hello")),
        ("HTTP/1.1 200 OK|Transfer-Encoding: chunked||0005|hello|000||", .text("hello")),
        ("HTTP/1.1 200 OK|Transfer-Encoding: chunked||1|h|1|e|3;q=\"a;b\"|llo|0||", .text("hello")),
        ("HTTP/1.1 599 x|Content-Length: 5||hello", .status(599)),
        ("HTTP/1.1 999 x|Content-Length: 5||hello", .status(999)),
      ])
    },
    Check("raw: interim responses, one or many, are not the answer", needs: [.raw]) { probe in
      let answer = "HTTP/1.1 200 OK|Content-Length: 5||hello"
      let hints = "HTTP/1.1 103 Early Hints|Link: </a>|Content-Length: 50000000|Content-Encoding: gzip||"
      try await probe.expect([
        ("HTTP/1.1 100 Continue||" + answer, .text("hello")), (hints + answer, .text("hello")),
        ("HTTP/1.1 102 p||" + hints + "HTTP/1.1 199 x||" + answer, .text("hello")),
        (String(repeating: hints, count: 40) + answer, .text("hello")),
      ])
    },
    Check("raw: what the platform refuses is a response, too", needs: [.raw]) { probe in
      try await probe.expect(
        [
          ("HTTP/1.1 200 OK|Content-Length:5||hello", .text("hello")),
          ("HTTP/1.1 200 OK|X-A:b|Content-Length: 5||hello", .text("hello")),
          ("HTTP/1.1 200 OK\nContent-Length: 5\n\nhello", .text("hello")),
          ("HTTP/1.1 200|Content-Length: 5||hello", .text("hello")),
        ],
        instead: (
          .senseless, "a field or a status line without its space, and bare line feeds, make no response"
        ))
    },
    Check("raw: a response that makes no sense is a bad one", needs: [.raw]) { probe in
      try await probe.expect(
        [
          "hello||", "ICY 200 OK||hello", "|HTTP/1.1 200 OK|Content-Length: 5||hello",
          "HTTP/1.1 099 No|Content-Length: 5||hello", "HTTP/1.1 1000 No|Content-Length: 5||hello",
          "HTTP/1.1 20 No|Content-Length: 5||hello", "HTTP/1.1 abc No|Content-Length: 5||hello",
          "HTTP/1.2 200 OK|Content-Length: 5||hello", "HTTP/3 200 OK||hello", "\u{0}\u{1}\u{2}\u{3}\u{4}",
          "\u{16}\u{3}\u{1}\u{0}\u{5}hello||", "GET / HTTP/1.1|Host: a||",
          "HTTP/1.1 200 OK|Content-Length: -1||hello", "HTTP/1.1 200 OK|Content-Length: abc||hello",
          "HTTP/1.1 200 OK|Content-Length: ||hello", "HTTP/1.1 200 OK|Content-Length: 5, 20||hello",
          "HTTP/1.1 200 OK|Content-Length: 5|Content-Length: 20||hello",
          "HTTP/1.1 200 OK|Transfer-Encoding: chunked||zz|hello|0||",
          "HTTP/1.1 200 OK|Transfer-Encoding: chunked||-5|hello|0||",
          "HTTP/1.1 200 OK|Transfer-Encoding: chunked||ffffffffffffffffff|hello|0||",
          "HTTP/1.1 200 OK|Transfer-Encoding: chunked||3|hello|0||",
          "HTTP/1.1 200 OK|: 1|Content-Length: 5||hello",
          "HTTP/1.1 200 OK|no colon|Content-Length: 5||hello",
          "HTTP/1.1 200 OK|X: a\u{0}b|Content-Length: 5||hello",
          "HTTP/1.1 103 e|Link: a||hello||",
        ].map { ($0, .senseless) })
    },
    Check(
      "raw: what the platform lets pass, or calls something else, is a bad response", needs: [.raw],
      only: .curl
    ) { probe in
      try await probe.expect(
        [
          "HTTP/1.1 101 Switching|Upgrade: x||hello", "HTTP/1.1 200 OK|Content-Length: +5||hello",
          "HTTP/1.1 200 OK|Transfer-Encoding: made-up||hello",
          "HTTP/1.1 200 OK|Transfer-Encoding: gzip, chunked||5|hello|0||",
          "HTTP/1.1 200 OK|Transfer-Encoding: chunked, chunked||5|hello|0||",
          "HTTP/1.1 200 OK|X A: 1|Content-Length: 5||hello",
          "HTTP/1.1 200 OK| X: folded onto nothing|Content-Length: 5||hello",
          "HTTP/1.1 200 OK|X: a\rX-B: b|Content-Length: 5||hello",
          // What is said on a line of its own that goes on with the one before counts as well.
          "HTTP/1.1 200 OK|Transfer-Encoding:| chunked||5|hello|0||",
          "HTTP/1.1 200 OK|Content-Encoding:|\tgzip|Content-Length: 5||hello",
          "HTTP/1.1 200 OK|Content-Length: 5|  0||hello",
          // A status line has its place.
          "HTTP/1.1 200 OK|Content-Length: 5|HTTP/1.1 404: x||hello",
          "HTTP/1.1 200 OK|HTTP/1.1 204: x|Content-Length: 5||hello",
        ].map { ($0, .senseless) })
    },
    Check("raw: a response that ends in its head is a lost connection", needs: [.raw], only: .curl) { probe in
      try await probe.expect(
        [
          "", "H", "HTTP/1", "HTTP/1.1 2", "HTTP/1.1 200 OK|", "HTTP/1.1 200 OK|Content-Length: 5|",
          "HTTP/1.1 200 OK|X-A: b", "HTTP/1.1 100 Continue||", "HTTP/1.1 103 Early Hints|Link: a|",
        ].map { ($0, .lost) })
    },
    Check("raw: a body that ends early is a lost connection", needs: [.raw]) { probe in
      try await probe.expect(
        [
          "Content-Length: 100||hello", "Content-Length: 1||", "Transfer-Encoding: chunked||5|hello|",
          "Transfer-Encoding: chunked||50|hello", "Transfer-Encoding: chunked||",
          "Transfer-Encoding: chunked||5",
          "Content-Encoding: gzip|Content-Length: 100||\u{1F}",
        ].map { ("HTTP/1.1 200 OK|" + $0, .lost) })
    },
    Check("raw: a connection that is reset is a lost one, whatever came before", needs: [.raw], only: .curl) {
      probe in
      let starts = [
        "", "HTTP/1", "HTTP/1.1 200 OK|Content-Le", "HTTP/1.1 200 OK|Content-Length: 9||hello",
        "HTTP/1.1 200 OK|Transfer-Encoding: chunked||5|hello|", "HTTP/1.1 200 OK||hello",
      ]
      let server = probe.rawOnce()
      let answers = await server.askAll(
        starts.map { .get(Script().say($0).wait(milliseconds: 5).reset().path) })
      try probe.expect(answers.map(Fate.init), starts.map { _ in .lost })
      try await probe.wire(.raw, starts.count)
    },
    Check(
      "raw: the three responses that end the platform's process are an answer or an error", needs: [.raw],
      only: .curl
    ) {
      probe in
      try await probe.expect([
        ("HTTP/1.1 200 OK|X-A: b|", .lost),
        ("HTTP/1.1 200 OK|Transfer-Encoding: chunked||5|hello|0|X-A: b|Content-Length: 9||", .text("hello")),
        ("HTTP/1.1 200 OK|Content-Length: 9223372036854775807||hello", .tooLong),
        ("HTTP/1.1 200 OK|Content-Length: 9223372036854775296||hello", .tooLong),
        ("HTTP/1.1 200 OK|Content-Length: 9223372036854775808||hello", .tooLong),
        ("HTTP/1.1 401 No|Content-Length: 9223372036854775807||hello", .status(401)),
      ])
    },
    Check("raw: fields arrive in order, apart and in their own case", needs: [.raw], only: .curl) { probe in
      let answer = await probe.raw().ask(
        .get(
          Script().say(
            "HTTP/1.1 200 OK|X-a:1|Set-Cookie: a=1, b|x-A:  two |Set-Cookie: c|X-Empty:|X-F: a|  b|"
          )
          .say([88, 45, 66, 58, 0xFC, 13, 10]).say("Content-Length: 0||").path))
      try probe.expect(
        answer.response?.headers.map { "\($0.name)=\($0.value)" },
        [
          "X-a=1", "Set-Cookie=a=1, b", "x-A=two", "Set-Cookie=c", "X-Empty=", "X-F=a b", "X-B=ü",
          "Content-Length=0",
        ])
      try await probe.wire(.raw, 1)
    },
  ]
}
