import StoicLocalServer
import Testing

@Suite("Request parser")
struct RequestParserTests {
  static let wires: [(text: String, events: [String])] = [
    ("GET / HTTP/1.1\r\n\r\n", ["GET / [] "]),
    ("GET /a?b HTTP/1.0\r\nHost: h\r\n\r\n", ["GET /a?b [Host=h] "]),
    ("\r\nget * HTTP/1.1\r\nA:\r\nA: \t b c \t\r\nx~!:1\r\n\r\n", ["get * [A=,A=b c,x~!=1] "]),
    ("PUT / HTTP/1.1\r\ncontent-length: 003\r\n\r\nabc", ["PUT / [content-length=003] abc"]),
    ("PUT / HTTP/1.1\r\nContent-Length: 0\r\n\r\n", ["PUT / [Content-Length=0] "]),
    (
      "POST / HTTP/1.1\r\nTransfer-Encoding: Chunked\r\n\r\n2\r\nab\r\n0a;x=\"1\"\r\n0123456789\r\n0\r\n\r\n",
      ["POST / [Transfer-Encoding=Chunked] ab0123456789"]
    ),
    (
      "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1 \r\n\n\r\n000\r\nT: 1\r\nU: 2\r\n\r\nGET /2 HTTP/1.1\r\n\r\n",
      ["POST / [Transfer-Encoding=chunked] \n", "GET /2 [] "]
    ),
    (
      "POST /1 HTTP/1.1\r\nContent-Length: 2\r\n\r\nabGET /2 HTTP/1.1\r\n\r\nGET /3 HTTP/1.1\r\n\r\n",
      ["POST /1 [Content-Length=2] ab", "GET /2 [] ", "GET /3 [] "]
    ),
    (
      "PUT / HTTP/1.1\r\nExpect: 100-Continue\r\nContent-Length: 2\r\n\r\nab",
      ["continue", "PUT / [Expect=100-Continue,Content-Length=2] ab"]
    ),
    ("GET / HTTP/1.1\r\nExpect: 100-continue\r\n\r\n", ["GET / [Expect=100-continue] "]),
    ("GET / HTTP/1.1\r\n\r\nnonsense\r\n", ["GET / [] ", "400"]),
    ("GET / HTTP/1.1\r\nA: \u{e9}\r\n\r\n", ["GET / [A=\u{e9}] "]),
  ]

  @Test("A request reads the same however its bytes are cut in two", arguments: wires)
  func splits(_ wire: (text: String, events: [String])) {
    let bytes = Array(wire.text.utf8)
    for cut in 0...bytes.count {
      let events = Reading.events(of: [Array(bytes[..<cut]), Array(bytes[cut...])])
      #expect(events == wire.events, "cut at \(cut)")
    }
  }

  @Test("A request reads the same byte by byte", arguments: wires)
  func byteByByte(_ wire: (text: String, events: [String])) {
    #expect(Reading.events(of: wire.text.utf8.map { [$0] }) == wire.events)
  }

  @Test("A request that is cut short is no request", arguments: wires)
  func cutShort(_ wire: (text: String, events: [String])) {
    let bytes = Array(wire.text.utf8)
    for end in 0..<bytes.count {
      let events = Reading.events(of: [Array(bytes[..<end])])
      #expect(wire.events.starts(with: events), "\(end) bytes")
      #expect(events.count < wire.events.count, "\(end) bytes")
    }
  }

  @Test("The exact head is kept with its request")
  func exactHead() {
    let head = "PUT / HTTP/1.1\r\nA:  b\r\nContent-Length: 1\r\n\r\n"
    var parser = RequestParser(headLimit: 1000, bodyLimit: 10)
    parser.append("\r\n\(head)x".utf8)
    guard case .head(let begun, awaitsContinue: false) = parser.next(),
      case .request(let request) = parser.next()
    else {
      Issue.record("no request")
      return
    }
    #expect(begun.head == Array(head.utf8))
    #expect(begun.body == [])
    #expect(request.head == Array(head.utf8))
    #expect(request.body == Array("x".utf8))
  }

  @Test(
    "A connection is kept unless the request says otherwise",
    arguments: [
      ("HTTP/1.1\r\n", true),
      ("HTTP/1.1\r\nConnection: keep-alive\r\n", true),
      ("HTTP/1.1\r\nConnection: close\r\n", false),
      ("HTTP/1.1\r\nconnection: Upgrade,\t CLOSE\r\n", false),
      ("HTTP/1.1\r\nConnection: closed\r\n", true),
      ("HTTP/1.0\r\n", false),
    ])
  func keepsAlive(_ rest: String, _ expected: Bool) {
    var parser = RequestParser(headLimit: 1000, bodyLimit: 10)
    parser.append("GET / \(rest)\r\n".utf8)
    guard case .request(let request) = parser.next() else {
      Issue.record("no request")
      return
    }
    #expect(request.keepsAlive == expected)
  }
}
