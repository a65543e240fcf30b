#if os(Linux) || os(macOS)
import Foundation
import Stoic
import StoicHTTP
import StoicLocalServer
import StoicTesting
import Testing

@Suite("Bodies that come as they are read", .timeLimit(.minutes(30)))
struct CurlStreamTests {
  private func read(_ body: CurlBody, atMost count: Int = .max) async throws -> [UInt8] {
    var bytes: [UInt8] = []
    for try await piece in body {
      bytes += piece
      if bytes.count >= count { break }
    }
    return bytes
  }

  @Test("The head comes first, and the body in pieces until its end")
  func pieces() async throws {
    let gate = LocalServer.Gate()
    let server = try await LocalServer.start { _ in
      LocalServer.Response(
        status: 201, headers: ["X-A": "b"], body: [.text("hel"), .gate(gate), .text("lo")], chunked: true)
    }
    defer { server.stop() }
    let (head, body) = try await CurlTransport().stream(.to(server))
    #expect(head.status == 201)
    #expect(head.headers["X-A"] == "b")
    var iterator = body.makeAsyncIterator()
    #expect(try await iterator.next() == Array("hel".utf8))
    gate.open()
    #expect(try await iterator.next() == Array("lo".utf8))
    #expect(try await iterator.next() == nil)
    #expect(try await iterator.next() == nil)
  }

  @Test("A reader that does not read holds up the server, and little waits")
  func pressure() async throws {
    let count = 64 << 20
    let server = try await LocalServer.start { _ in
      LocalServer.Response(status: 200, body: [.repeated(0x61, count: count)], chunked: true)
    }
    defer { server.stop() }
    let transport = try CurlTransport()
    let (_, body) = try await transport.stream(.to(server))
    var iterator = body.makeAsyncIterator()
    #expect(try await iterator.next() != nil)
    // Others on the same transport go on meanwhile, and take their time.
    for _ in 0..<20 { _ = try await transport.send(.to(server), maxResponseBytes: 1_000_000) }
    // What the system keeps for either end is beyond anybody's reach.
    #expect(server.bytesSent < 20 * (16 << 20) + (32 << 20))
    #expect(body.peak < 256 * 1024)
    var rest = 0
    while let piece = try await iterator.next() { rest += piece.count }
    #expect(rest > count - (1 << 20))
    #expect(body.peak < 256 * 1024)
  }

  @Test("A packed body is unpacked as it is read", arguments: [1, 2])
  func packed(_ times: Int) async throws {
    let bomb = LocalServer.Coding.gzip.pack(0, times: 25_800_000)
    let server = try await LocalServer.start { _ in
      LocalServer.Response(
        status: 200, headers: ["Content-Encoding": times == 1 ? "gzip" : "gzip, gzip"],
        body: [.bytes(times == 1 ? bomb : LocalServer.Coding.gzip.pack(bomb))])
    }
    defer { server.stop() }
    let (_, body) = try await CurlTransport().stream(.to(server))
    var count = 0
    for try await piece in body { count += piece.count }
    #expect(count == 25_800_000)
    #expect(body.peak < 256 * 1024)
  }

  @Test("A body that is cut fails after what came of it", arguments: [false, true])
  func cut(byReset: Bool) async throws {
    let gate = LocalServer.Gate()
    let server = try await LocalServer.start { _ in
      .raw([
        .text("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf"), .gate(gate), byReset ? .reset : .close,
      ])
    }
    defer { server.stop() }
    let (_, body) = try await CurlTransport().stream(.to(server))
    var iterator = body.makeAsyncIterator()
    #expect(try await iterator.next() == Array("half".utf8))
    gate.open()
    await #expect(throws: TransportError(code: .networkConnectionLost, mayHaveActed: true)) {
      _ = try await iterator.next()
    }
  }

  @Test("A body longer than allowed fails at its limit")
  func limit() async throws {
    let server = try await LocalServer.start { _ in
      LocalServer.Response(status: 200, body: [.repeated(0x61, count: 100_000)], chunked: true)
    }
    defer { server.stop() }
    let (_, body) = try await CurlTransport().stream(.to(server), maxResponseBytes: 70_000)
    var count = 0
    await #expect(throws: TransportError(code: .dataLengthExceedsMaximum, mayHaveActed: true)) {
      for try await piece in body { count += piece.count }
    }
    #expect(count == 70_000)
    #expect(await server.waitForOpenConnections(atMost: 0))
  }

  @Test("Letting go of a body ends the exchange and the connection")
  func letGo() async throws {
    let server = try await LocalServer.start { _ in
      LocalServer.Response(status: 200, body: [.text("a"), .hang], chunked: true)
    }
    defer { server.stop() }
    let transport = try CurlTransport()
    _ = try await transport.stream(.to(server))
    #expect(await server.waitForDisconnects(1))
  }

  @Test("A reader that is cancelled while it waits hears of it, and the connection ends")
  func cancelled() async throws {
    let server = try await LocalServer.start { _ in
      LocalServer.Response(status: 200, body: [.text("a"), .hang], chunked: true)
    }
    defer { server.stop() }
    let transport = try CurlTransport()
    let (_, body) = try await transport.stream(.to(server))
    let first = LocalServer.Gate()
    let reader = Task {
      for try await _ in body { first.open() }
    }
    await first.wait()
    reader.cancel()
    await #expect(throws: CancellationError.self) { try await reader.value }
    #expect(await server.waitForDisconnects(1))
  }

  @Test("The timeout covers the body, in virtual time")
  func timeout() async throws {
    let server = try await LocalServer.start { _ in
      LocalServer.Response(status: 200, body: [.text("a"), .hang], chunked: true)
    }
    defer { server.stop() }
    let clock = TestClock()
    let transport = try CurlTransport()
    let (_, body) = try await withClock(clock) {
      try await transport.stream(.to(server, timeout: .seconds(10)))
    }
    clock.advance(by: .seconds(10))
    await #expect(throws: TransportError(code: .timedOut, mayHaveActed: true)) { _ = try await read(body) }
    #expect(await server.waitForDisconnects(1))
  }

  @Test("Shutting down ends a body that is being read")
  func shutDown() async throws {
    let server = try await LocalServer.start { _ in
      LocalServer.Response(status: 200, body: [.text("a"), .hang], chunked: true)
    }
    defer { server.stop() }
    let transport = try CurlTransport()
    let (_, body) = try await transport.stream(.to(server))
    await transport.shutDown()
    await #expect(throws: TransportError(code: .cancelled, mayHaveActed: true)) { _ = try await read(body) }
  }
}
#endif
