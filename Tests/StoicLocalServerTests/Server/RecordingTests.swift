import StoicLocalServer
import Testing

@Suite("What a server records")
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
    #expect(request.headBytes == Array(head.utf8))
    #expect(request.received >= before)
    #expect(request.received <= .now)
  }
}
