import StoicLocalServer
import Testing

@Suite("What a server records", .timeLimit(.minutes(30)))
struct RecordingTests {
  @Test("A request is recorded as it was sent")
  func recorded() async throws {
    let before = ContinuousClock.now
    let server = try await LocalServer.start { request in .text(request.head) }
    defer { server.stop() }
    let client = try RawClient(port: server.port)
    let head =
      "POST /a/b%20c?x=1&y=%41+&x=2&z HTTP/1.1\r\nHost: h\r\nX-Tag:  one \r\nx-tag: two\r\n"
      + "Content-Length: 3\r\n\r\n"
    try await client.send(head + "abc")
    let response = try await client.readResponse()
    #expect(response.body == head)

    let request = try #require(server.requests.first)
    #expect(server.requests.count == 1)
    #expect(request.method == "POST")
    #expect(request.target == "/a/b%20c?x=1&y=%41+&x=2&z")
    #expect(request.path == "/a/b%20c")
    #expect(request.query == ["x": "2", "y": "A+", "z": ""])
    #expect(request.queryItems.map(\.name) == ["x", "y", "x", "z"])
    #expect(request.queryItems.map(\.value) == ["1", "A+", "2", nil])
    #expect(request.headers.map(\.name) == ["Host", "X-Tag", "x-tag", "Content-Length"])
    #expect(request.headers.map(\.value) == ["h", "one", "two", "3"])
    #expect(request.header("X-TAG") == "one")
    #expect(request.headers("X-TAG") == ["one", "two"])
    #expect(request.header("Absent") == nil)
    #expect(request.body == Array("abc".utf8))
    #expect(request.text == "abc")
    #expect(request.connection == 1)
    #expect(request.numberOnConnection == 1)
    #expect(request.isWhole)
    #expect(request.trailers.isEmpty)
    #expect(request.headBytes == Array(head.utf8))
    #expect(request.received >= before)
    #expect(request.received <= .now)
  }

  @Test("A chunked body's trailers are recorded, and are no header fields")
  func trailers() async throws {
    let server = try await LocalServer.start { request in .text(request.text) }
    defer { server.stop() }
    let client = try RawClient(port: server.port)
    let head = "PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"
    try await client.send(head + "3\r\nabc\r\n0\r\nX-Sum:  1 \r\nx-sum:2\r\n\r\n")
    #expect(try await client.readResponse().body == "abc")
    let request = try #require(server.requests.first)
    #expect(request.trailers.map(\.name) == ["X-Sum", "x-sum"])
    #expect(request.trailers.map(\.value) == ["1", "2"])
    #expect(request.headers.map(\.name) == ["Transfer-Encoding"])
    #expect(request.head == head)
    try await client.get("/")
    _ = try await client.readResponse()
    #expect(server.requests.last?.trailers.isEmpty == true)
  }

  @Test(
    "A request that its client does not send to its end is counted as cut short, once it has begun",
    arguments: [
      ("", 0), ("G", 1), ("GET / HTTP/1.1\r\n", 1), ("PUT / HTTP/1.1\r\nContent-Length: 5\r\n\r\nabcd", 1),
      ("PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n", 1),
    ])
  func cutShort(_ text: String, _ count: Int) async throws {
    let server = try await LocalServer.start { _ in .text("a") }
    defer { server.stop() }
    let client = try RawClient(port: server.port)
    try await client.get("/")
    _ = try await client.readResponse()
    try await client.send(text)
    try await client.leave()
    #expect(await server.waitForDisconnects(1))
    #expect(server.counts.cutShort == count)
    #expect(server.counts.requests == 1)
    #expect(server.counts.undelivered == 0)
  }
}
