import Foundation
import StoicHTTP
import StoicLocalServer
import Testing

@Suite("What of a response arrives", .timeLimit(.minutes(30)))
struct ResponseFidelityTests {
  private func exchange(_ wire: WireTransport, _ response: LocalServer.Response, _ method: HTTPMethod = .get)
    async throws
    -> HTTPResponse
  {
    let server = try await LocalServer.start { _ in response }
    defer { server.stop() }
    return try await wire().send(.to(server, "/p", method))
  }

  @Test("Status, fields, body and URL arrive", arguments: WireTransport.all)
  func whole(_ wire: WireTransport) async throws {
    let server = try await LocalServer.start { _ in
      .text("hällo", status: 201, headers: ["ETag": "\"1\"", "X-Empty": ""])
    }
    defer { server.stop() }
    let response = try await wire().send(.to(server, "/p"))
    #expect(response.status == 201)
    #expect(response.headers["ETag"] == "\"1\"")
    #expect(response.headers["X-Empty"] == "")
    #expect(response.headers["Content-Type"] == "text/plain; charset=utf-8")
    #expect(response.text == "hällo")
    #expect(response.url == server.baseURL.appending(path: "/p"))
    #expect(!response.isTruncated)
  }

  @Test("Repeated fields arrive in order, joined where the platform joins them", arguments: WireTransport.all)
  func repeated(_ wire: WireTransport) async throws {
    let response = try await exchange(
      wire,
      .text("", headers: ["X-A": "1", "X-B": "2", "X-A": "3", "Set-Cookie": "a=1", "Set-Cookie": "b=2"]))
    let isJoined = wire.has(.joinsResponseFields)
    #expect(response.headers.values(for: "X-A") == (isJoined ? ["1, 3"] : ["1", "3"]))
    #expect(response.headers.values(for: "Set-Cookie") == (isJoined ? ["a=1, b=2"] : ["a=1", "b=2"]))
  }

  @Test(
    "Fields whose names differ in case are one list, in order where the platform keeps it",
    arguments: WireTransport.all)
  func namesInTwoCases(_ wire: WireTransport) async throws {
    let response = try await exchange(wire, .text("", headers: ["x-tag": "1", "X-Tag": "2"]))
    let values = response.headers.values(for: "X-Tag")
    #expect((wire.has(.losesOrder) ? values.sorted() : values) == ["1", "2"])
  }

  @Test(
    "A field needs no space after its colon, but where the platform does",
    arguments: WireTransport.all)
  func tight(_ wire: WireTransport) async throws {
    let answer = LocalServer.Response.raw(lines: "HTTP/1.1 200 OK|X-A:b|Content-Length:5||hello")
    guard !wire.has(.refusesTightFields) else {
      await #expect(throws: TransportError(code: .badServerResponse, mayHaveActed: true)) {
        _ = try await exchange(wire, answer)
      }
      return
    }
    let response = try await exchange(wire, answer)
    #expect(response.text == "hello")
    #expect(response.headers["X-A"] == "b")
  }

  @Test(
    "Any final status is an answer", arguments: WireTransport.all,
    [200, 226, 299, 300, 304, 400, 418, 500, 599, 600, 999])
  func status(_ wire: WireTransport, _ status: Int) async throws {
    #expect(try await exchange(wire, .status(status)).status == status)
  }

  @Test(
    "Interim responses are not the answer", arguments: WireTransport.all,
    [
      ["Link": "</a>"], ["Link": "</a>", "Content-Length": "50000000"],
      ["Link": "</a>", "Content-Encoding": "gzip"],
    ] as [KeyValuePairs<String, String>])
  func interim(_ wire: WireTransport, _ fields: KeyValuePairs<String, String>) async throws {
    let response = try await exchange(
      wire,
      LocalServer.Response(
        status: 200, body: [.text("hello")], preface: [.interim(103, headers: fields), .interim(100)]))
    #expect(response.status == 200)
    #expect(response.text == "hello")
    #expect(response.headers["Link"] == nil)
  }

  @Test(
    "Bodies in chunks, to the end of the connection, and in pieces arrive whole", arguments: WireTransport.all
  )
  func framings(_ wire: WireTransport) async throws {
    let pieces: [LocalServer.Piece] = [.text("one "), .text("two "), .repeated(0x2E, count: 100_000)]
    let text = "one two " + String(repeating: ".", count: 100_000)
    var toTheEnd = LocalServer.Response(status: 200, body: pieces)
    toTheEnd.closeDelimited = true
    #expect(
      try await exchange(wire, LocalServer.Response(status: 200, body: pieces, chunked: true)).text == text)
    #expect(try await exchange(wire, LocalServer.Response(status: 200, body: pieces)).text == text)
    #expect(try await exchange(wire, toTheEnd).text == text)
  }

  @Test(
    "A gzip body is unpacked; the fields about its packing stay as they came", arguments: WireTransport.all)
  func gzip(_ wire: WireTransport) async throws {
    let packed = LocalServer.Coding.gzip.pack("hello")
    let response = try await exchange(
      wire,
      LocalServer.Response(status: 200, headers: ["Content-Encoding": "gzip"], body: [.bytes(packed)]))
    #expect(response.text == "hello")
    #expect(response.headers["Content-Encoding"] == "gzip")
    #expect(response.headers["Content-Length"] == "\(packed.count)")
  }

  @Test(
    "An answer to HEAD has no body, however long a body it speaks of", arguments: WireTransport.all,
    [1 << 20, 50_000_000, 1 << 40])
  func head(_ wire: WireTransport, _ length: Int) async throws {
    let response = try await exchange(wire, .status(200, headers: ["Content-Length": "\(length)"]), .head)
    #expect(response.status == 200)
    #expect(response.body == [])
    #expect(!response.isTruncated)
    #expect(response.headers["Content-Length"] == "\(length)")
  }

  @Test(
    "A 204 and a 304 have no body, however long a body they speak of", arguments: WireTransport.all,
    [204, 304])
  func bodiless(_ wire: WireTransport, _ status: Int) async throws {
    let response = try await exchange(wire, .status(status, headers: ["Content-Length": "50000000"]))
    #expect(response.status == status)
    #expect(response.body == [])
    #expect(!response.isTruncated)
  }

  @Test("A 205 has no body, whatever follows it", arguments: WireTransport.all)
  func reset(_ wire: WireTransport) async throws {
    let response = try await exchange(
      wire,
      LocalServer.Response(status: 205, body: [.repeated(0x61, count: 1 << 20)]))
    #expect(response.status == 205)
    #expect(response.body == [])
    #expect(!response.isTruncated)
  }
}
