import Foundation
import Stoic
import StoicHTTP
import StoicLocalServer
import StoicTesting
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Cases over real sockets", .timeLimit(.minutes(30)))
struct WireCases {
  @Test(
    "CX-07: A cancel after a redirect closes the second hop's connection", arguments: WireTransport.all,
    [302, 307])
  func cancelOnSecondHop(_ wire: WireTransport, status: Int) async throws {
    let second = try await LocalServer.start { _ in .hang }
    let place = second.baseURL.appending(path: "/b").absoluteString
    let first = try await LocalServer.start { _ in .status(status, headers: ["Location": place]) }
    defer {
      first.stop()
      second.stop()
    }
    let client = WireClient(first, on: wire)
    let call = client.start(.get("/a"))
    await second.waitForRequests(1)
    call.cancel()
    await #expect(throws: CancellationError.self) { try await call.value }
    #expect(await second.waitForDisconnects(1))
    #expect(first.requests.count == 1 && second.requests.count == 1)
    #expect(client.clock.sleepers.isEmpty && client.clock.now.offset == .zero)
  }

  @Test(
    "RC-02: Another port sees no credential, whatever its name's case", arguments: WireTransport.all,
    [301, 302, 303, 307, 308])
  func otherPort(_ wire: WireTransport, status: Int) async throws {
    let second = try await LocalServer.start { _ in .text("there") }
    let place = second.baseURL.appending(path: "/there").absoluteString
    let first = try await LocalServer.start { _ in .status(status, headers: ["Location": place]) }
    defer {
      first.stop()
      second.stop()
    }
    let request = HTTPRequest.get("/").header("cookie", "SECRET").header("PROXY-AUTHORIZATION", "SECRET")
    let client = WireClient(first, headers: ["authorization": "SECRET", "x-api-key": "SECRET"], on: wire)
    #expect(try await client.send(request).text == "there")
    let arrival = try #require(second.requests.first)
    #expect(!arrival.head.contains("SECRET"))
  }

  @Test(
    "HD-09: Cookies that the platform joined are read apart, the comma of a date and all",
    arguments: WireTransport.all)
  func cookies(_ wire: WireTransport) async throws {
    let server = try await LocalServer.start { _ in
      .text(
        "",
        headers: [
          "Set-Cookie": "a=1; Expires=Mon, 18 Jan 2066 00:00:00 GMT", "Set-Cookie": "b=2",
          "Set-Cookie": "c=\"x\"",
        ])
    }
    defer { server.stop() }
    let response = try await WireClient(server, on: wire).send(.get("/"))
    let joined = try #require(response.headers["Set-Cookie"])
    let cookies = HTTPCookie.cookies(withResponseHeaderFields: ["Set-Cookie": joined], for: response.url)
    #expect(cookies.map { "\($0.name)=\($0.value)" }.sorted() == ["a=1", "b=2", "c=\"x\""])
    #expect(cookies.first { $0.name == "a" }?.expiresDate == Date(timeIntervalSince1970: 3_030_998_400))
  }

  @Test(
    "HD-02: What ends in the byte of a line end begins no second field on the wire",
    arguments: WireTransport.all, ["\u{10A}", "\u{10D}\u{10A}", "\u{D0A}", "\u{85}"])
  func lineEnds(_ wire: WireTransport, text: String) async throws {
    let server = try await LocalServer.start { _ in .text("well") }
    defer { server.stop() }
    _ = try await WireClient(server, on: wire).send(.get("/").header("X-Tag", "a\(text)X-Evil: 1"))
    let request = try #require(server.requests.first)
    #expect(request.header("X-Evil") == nil && server.requests.count == 1)
    #expect(request.header("X-Tag") == "a\(text)X-Evil: 1")
  }

  @Test(
    "BF-04: A HEAD that speaks of a body over the limit is a success without one",
    arguments: WireTransport.all, [50_000_000, 1 << 40])
  func head(_ wire: WireTransport, length: Int) async throws {
    let server = try await LocalServer.start { _ in .status(200, headers: ["Content-Length": "\(length)"]) }
    defer { server.stop() }
    let response = try await WireClient(server, on: wire) { $0.maxResponseBytes = 10 }.send(.head("/big"))
    #expect(response.status == 200 && response.body.isEmpty && !response.isTruncated)
    #expect(response.headers["Content-Length"] == "\(length)")
    #expect(server.requests.map(\.method) == ["HEAD"])
  }

  @Test(
    "BF-06: No announced length is a success with a wrong body, and none traps",
    arguments: WireTransport.all,
    [
      "-1", "+5", "0x5", "5.0", "5 5", "abc", "", "5, 6", "6, 5", "5,", ",5", "5;5", "٥",
      "9223372036854775808",
      "18446744073709551621", "99999999999999999999", "5, 99999999999999999999",
    ])
  func lengths(_ wire: WireTransport, length: String) async throws {
    let server = try await LocalServer.start { _ in
      .raw(lines: "HTTP/1.1 200 OK|Content-Length: \(length)||hello")
    }
    defer { server.stop() }
    let call = WireClient(server, on: wire) { $0.retry.maxAttempts = 1 }.start(.get("/"))
    let error = await call.httpError
    if error == nil { #expect(try await call.value.text == "hello") } else { #expect(error?.attempts == 1) }
    #expect(server.requests.count == 1)
  }

  @Test(
    "BF-03: Half of a packed document never passes for a value", arguments: WireTransport.all, [1, 8, 9, 20])
  func halfGzip(_ wire: WireTransport, missing: Int) async throws {
    let packed = LocalServer.Coding.gzip.pack(#"{"id": 42, "name": "a long enough name"}"#)
    let server = try await LocalServer.start { _ in
      var response = LocalServer.Response(
        status: 200, headers: ["Content-Encoding": "gzip", "Content-Type": "application/json"],
        body: [.bytes(Array(packed.dropLast(missing)))])
      response.closeDelimited = true
      return response
    }
    defer { server.stop() }
    let client = WireClient(server, on: wire) { $0.retry.maxAttempts = 1 }
    let call = client.start(.get("/"))
    guard wire.has(.passesCutGzip) else {
      #expect(await call.httpError?.attempts == 1)
      return
    }
    // The platform takes the end of the connection for the end of the stream: then the checksum has not been seen, and
    // a cut text is no JSON.
    let whole = missing <= 8
    let value = try? await call.value.json()
    #expect((value != nil) == whole)
  }

  @Test(
    "ID-13: Below the client only what is safe and bodiless is repeated, once, and only on a connection used before",
    arguments: WireTransport.each([
      (HTTPMethod.get, 3), (.head, 3), (.options, 3), (.put, 3), (.delete, 3), (.post, 1), (.patch, 1),
    ]))
  func replays(_ wire: WireTransport, method: HTTPMethod, count: Int) async throws {
    let server = try await LocalServer.start { request in request.path == "/warm" ? .text("warm") : .drop }
    defer { server.stop() }
    let client = WireClient(server, on: wire)
    for _ in 0..<2 { _ = try await client.send(.get("/warm")) }
    let call = client.start(HTTPRequest(method: method, path: "/x"))
    for (number, wait) in [(1, Duration.milliseconds(200)), (2, .milliseconds(400))] where number < count {
      await client.pass(retry: number, wait)
    }
    let error = await call.httpError
    #expect(error?.code == .networkConnectionLost && error?.attempts == count)
    // The platform repeats once on its own what it has sent on a connection that it had left over.
    let hidden = wire.has(.repeatsSafeRequests) && [.get, .head, .options].contains(method) ? 1 : 0
    #expect((count...count + hidden).contains(server.requests.count { $0.path == "/x" }))
  }
}
