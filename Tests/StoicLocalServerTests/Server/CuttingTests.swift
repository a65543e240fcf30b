import StoicLocalServer
import Testing

@Suite("Connections that are cut", .timeLimit(.minutes(30)))
struct CuttingTests {
  typealias Response = LocalServer.Response

  /// Every kind of place: before any byte, in the status line, the head, the body, the framing, behind everything.
  static let framings: [(name: String, response: Response, wire: String)] = [
    (
      "fixed", .text("hello"),
      "HTTP/1.1 200 \r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: 5\r\n\r\nhello"
    ),
    (
      "chunked",
      Response(
        status: 200, body: [.text("hello")], chunked: true,
        preface: [.interim(103, headers: ["Link": "</a>"])],
        trailers: ["X": "1"]),
      "HTTP/1.1 103 \r\nLink: </a>\r\n\r\nHTTP/1.1 200 \r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\nX: 1\r\n\r\n"
    ),
  ]

  @Test(
    "A response is cut wherever it is told to be, in order or not, on a fresh connection or a used one",
    arguments: framings.indices.flatMap { framing in
      [0, 1, 9, 14, 17, 32, 60, 75, 84, 92, 100, Int.max].map { (framing, $0) }
    })
  func everywhere(_ framing: Int, _ offset: Int) async throws {
    let (_, response, wire) = Self.framings[framing]
    for (ending, warm) in [(LocalServer.Piece.close, false), (.close, true), (.reset, false), (.reset, true)]
    {
      let gate = LocalServer.Gate()
      // Held at the place first: a reset may overtake what the client has not read.
      let cut = response.interrupted(after: offset, by: .gate(gate)).interrupted(after: offset, by: ending)
      let server = try await LocalServer.start { request in request.path == "/cut" ? cut : .text("warm") }
      defer { server.stop() }
      let client = try RawClient(port: server.port)
      if warm {
        try await client.get("/warm")
        #expect(try await client.readResponse().body == "warm")
      }
      try await client.get("/cut")
      let expected = wire.utf8.prefix(offset)
      #expect(try await client.read(expected.count) == Array(expected))
      gate.open()
      if case let end = try? await client.readToEnd(), end != nil {
        #expect(end == "" && "\(ending)" == "\(LocalServer.Piece.close)")
      } else {
        #expect("\(ending)" == "\(LocalServer.Piece.reset)")
      }
      #expect(await server.waitForOpenConnections(atMost: 0))
      #expect(server.requests.map(\.numberOnConnection) == (warm ? [1, 2] : [1]))
      #expect(server.connectionsAccepted == 1)
      #expect(server.counts.disconnects == 0)
    }
  }

  @Test("A connection is ended while it is idle, behind a whole response", arguments: [false, true])
  func idle(withReset: Bool) async throws {
    let gate = LocalServer.Gate()
    let server = try await LocalServer.start { _ in
      .text("whole").interrupted(after: Int.max, by: .gate(gate))
        .interrupted(after: Int.max, by: withReset ? .reset : .close)
    }
    defer { server.stop() }
    let client = try RawClient(port: server.port)
    try await client.get("/")
    let response = try await client.readResponse()
    #expect(response.body == "whole")
    #expect(!response.head.contains("Connection"))
    #expect(server.openConnections == 1)
    gate.open()
    if withReset {
      await #expect(throws: RawClient.Failure.reset) { try await client.readToEnd() }
    } else {
      #expect(try await client.readToEnd() == "")
    }
  }

  @Test("A handler can tell a fresh connection from a used one")
  func used() async throws {
    let server = try await LocalServer.start { request in
      request.numberOnConnection > 1 ? .drop : .text("first")
    }
    defer { server.stop() }
    for _ in 0..<3 {
      let client = try RawClient(port: server.port)
      try await client.get("/")
      #expect(try await client.readResponse().body == "first")
      try await client.get("/")
      #expect(try await client.readToEnd() == "")
    }
    #expect(server.requests.map(\.connection) == [1, 1, 2, 2, 3, 3])
    #expect(server.requests.map(\.numberOnConnection) == [1, 2, 1, 2, 1, 2])
  }

  @Test("Any part of a head can be held back")
  func heldHead() async throws {
    let gates = [LocalServer.Gate(), LocalServer.Gate()]
    let server = try await LocalServer.start { _ in
      .text("x").interrupted(after: 3, by: .gate(gates[0])).interrupted(after: 20, by: .gate(gates[1]))
    }
    defer { server.stop() }
    let client = try RawClient(port: server.port)
    try await client.get("/")
    #expect(try await client.readText(3) == "HTT")
    gates[0].open()
    #expect(try await client.readText(17) == "P/1.1 200 \r\nConte")
    #expect(server.bytesSent == 0)
    gates[1].open()
    #expect(try await client.readResponse().body == "x")
    #expect(server.bytesSent == 1)
  }

  @Test("Interim responses come when they are due, then the response, then its trailers")
  func interim() async throws {
    let gate = LocalServer.Gate()
    let server = try await LocalServer.start { _ in
      Response(
        status: 200, body: [.text("x")], chunked: true,
        preface: [.interim(103, headers: ["Link": "</a>"]), .gate(gate), .interim(100)], trailers: ["T": "1"])
    }
    defer { server.stop() }
    let client = try RawClient(port: server.port)
    try await client.get("/")
    #expect(try await client.readHead() == "HTTP/1.1 103 \r\nLink: </a>\r\n\r\n")
    gate.open()
    #expect(try await client.readHead() == "HTTP/1.1 100 \r\n\r\n")
    #expect(try await client.readHead() == "HTTP/1.1 200 \r\nTransfer-Encoding: chunked\r\n\r\n")
    #expect(try await client.readHead() == "1\r\nx\r\n0\r\nT: 1\r\n\r\n")
    #expect(server.bytesSent == 1)
    try await client.get("/")
    #expect(try await client.readHead() == "HTTP/1.1 103 \r\nLink: </a>\r\n\r\n")
  }

  @Test("A script is given in order, its last response for ever, and an empty one is a failure of the server")
  func script() async throws {
    let server = try await LocalServer.start(script: [.status(503), .drop, .text("a")])
    defer { server.stop() }
    let first = try RawClient(port: server.port)
    for status in [503, 0] {
      try await first.get("/")
      if status > 0 { #expect(try await first.readHead().hasPrefix("HTTP/1.1 \(status) ")) }
    }
    #expect(try await first.readToEnd() == "")
    let second = try RawClient(port: server.port)
    for _ in 0..<3 {
      try await second.get("/")
      #expect(try await second.readResponse().body == "a")
    }
    let empty = try await LocalServer.start(script: [])
    defer { empty.stop() }
    let third = try RawClient(port: empty.port)
    try await third.get("/")
    #expect(try await third.readHead().hasPrefix("HTTP/1.1 500 "))
  }
}
