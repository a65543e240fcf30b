#if os(Linux) || os(macOS)
import Foundation
import StoicHTTP
import StoicLocalServer
import Testing

@Suite("Packed bodies on libcurl's transport", .timeLimit(.minutes(30)))
struct CurlCodingTests {
  private static let hello = Array("hello".utf8)

  private func response(
    _ coding: String, _ body: [UInt8], chunked: Bool = false, pieces: Int = .max,
    maxResponseBytes: Int = 1_000
  ) async throws -> HTTPResponse {
    let server = try await LocalServer.start { _ in
      let pieces = stride(from: 0, to: body.count, by: min(pieces, max(1, body.count))).map {
        LocalServer.Piece.bytes(Array(body[$0..<min(body.count, $0 &+ min(pieces, body.count))]))
      }
      return LocalServer.Response(
        status: 200, headers: ["Content-Encoding": coding], body: pieces, chunked: chunked)
    }
    defer { server.stop() }
    return try await CurlTransport().send(.to(server), maxResponseBytes: maxResponseBytes)
  }

  private static func gzip(_ bytes: [UInt8]) -> [UInt8] { LocalServer.Coding.gzip.pack(bytes) }

  @Test("What it asks for it can unpack")
  func asks() async throws {
    let server = try await LocalServer.start { _ in .text("") }
    defer { server.stop() }
    _ = try await CurlTransport().send(.to(server))
    _ = try await CurlTransport().send(.to(server, headers: ["accept-encoding": "identity"]))
    #expect(server.requests.map { $0.headers("Accept-Encoding") } == [["gzip, deflate"], ["identity"]])
  }

  @Test(
    "A range is asked for as it is: a part of what is packed cannot be unpacked",
    arguments: ["Range", "rAnGe"])
  func range(_ name: String) async throws {
    let server = try await LocalServer.start { request in
      let isPacked = request.headers("Accept-Encoding").contains { $0.contains("gzip") }
      let whole = isPacked ? Self.gzip(Self.hello) : Self.hello
      let fields = isPacked ? [(name: "Content-Encoding", value: "gzip")] : []
      return LocalServer.Response(status: 206, headers: fields, body: [.bytes(Array(whole[1...3]))])
    }
    defer { server.stop() }
    let transport = try CurlTransport()
    let response = try await transport.send(.to(server, headers: [name: "bytes=1-3"]))
    #expect(response.status == 206 && response.text == "ell")
    // Whoever asks for it has it their way.
    _ = try? await transport.send(.to(server, headers: [name: "bytes=1-3", "Accept-Encoding": "gzip"]))
    _ = try await transport.send(.to(server, headers: [name: "bytes=1-3", "accept-encoding": ""]))
    #expect(server.requests.map { $0.headers("Accept-Encoding") } == [["identity"], ["gzip"], [""]])
  }

  @Test(
    "Every coding is undone, alone and on top of another, whole or in pieces", arguments: [1, 2, 7, Int.max],
    [false, true])
  func codings(_ pieces: Int, chunked: Bool) async throws {
    let gzip = Self.gzip(Self.hello)
    let cases: [(String, [UInt8])] = [
      ("gzip", gzip), ("x-gzip", gzip), ("GZIP", gzip), ("identity", Self.hello), ("identity, gzip", gzip),
      ("deflate", LocalServer.Coding.deflate.pack(Self.hello)),
      ("deflate", LocalServer.Coding.bareDeflate.pack(Self.hello)),
      ("gzip, gzip", Self.gzip(gzip)),
      ("deflate, gzip", Self.gzip(LocalServer.Coding.deflate.pack(Self.hello))),
      ("gzip", Self.gzip(Array("hel".utf8)) + Self.gzip(Array("lo".utf8))),
    ]
    for (coding, body) in cases {
      let response = try await response(coding, body, chunked: chunked, pieces: pieces)
      #expect(response.text == "hello", "\(coding)")
      #expect(response.headers["Content-Encoding"] == coding)
    }
  }

  @Test("An empty body is whole in any coding", arguments: ["gzip", "deflate", "gzip, gzip"])
  func empty(_ coding: String) async throws {
    #expect(try await response(coding, []).body == [])
  }

  @Test(
    "A packed body that is cut or broken is a failure, though its framing is whole", arguments: [false, true])
  func broken(chunked: Bool) async throws {
    let gzip = Self.gzip(Self.hello)
    let zlib = LocalServer.Coding.deflate.pack(Self.hello)
    let cases: [(String, [UInt8])] = [
      ("gzip", Self.hello), ("deflate", Self.hello), ("made-up", Self.hello), ("br", Self.hello),
      ("gzip", LocalServer.Coding.gzip.pack(Self.hello, fault: .checksum)), ("gzip", gzip + [0]),
      ("deflate", zlib + [0]),
      ("gzip", gzip + Self.hello), ("gzip, gzip", gzip), ("gzip, gzip", Self.gzip(gzip.dropLast() + [])),
      ("gzip,gzip,gzip,gzip,gzip,gzip", gzip),
    ]
    let cuts =
      (1..<gzip.count).map { ("gzip", Array(gzip.prefix($0))) }
      + (1..<zlib.count).map { ("deflate", Array(zlib.prefix($0))) }
    for (coding, body) in cases + cuts {
      await #expect(
        throws: TransportError(code: .cannotDecodeContentData, mayHaveActed: true), "\(coding) \(body)"
      ) { _ = try await response(coding, body, chunked: chunked) }
    }
  }

  @Test("Two lengths of a packed body are as bad as two of another")
  func lengths() async throws {
    let gzip = Self.gzip(Self.hello)
    let server = try await LocalServer.start { _ in
      .raw(
        Array("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(gzip.count), 9\r\n\r\n".utf8)
          + gzip)
    }
    defer { server.stop() }
    await #expect(throws: TransportError(code: .badServerResponse, mayHaveActed: true)) {
      _ = try await CurlTransport().send(.to(server))
    }
  }

  @Test(
    "What unpacks to nothing is taken up to a bound, however often it is packed", arguments: [0, 1, 2],
    [300_000, 2_000_000])
  func idle(_ depth: Int, _ count: Int) async throws {
    // The name of the file in gzip's header (RFC 1952, section 2.3.1) may have any length.
    var start = Array(Self.gzip(Self.hello).prefix(10))
    start[3] |= 8
    let end: [UInt8] = [0] + Self.gzip(Self.hello).dropFirst(10)
    var body: [[UInt8]] = [start, Array(repeating: 0x61, count: count), end]
    for _ in 0..<depth { body = body.map(Self.gzip) }
    let coding = Array(repeating: "gzip", count: depth + 1).joined(separator: ", ")
    if count < 1_000_000 {
      #expect(try await response(coding, body.flatMap { $0 }).text == "hello")
    } else {
      await #expect(throws: TransportError(code: .cannotDecodeContentData, mayHaveActed: true)) {
        _ = try await response(coding, body.flatMap { $0 })
      }
    }
  }

  @Test("The limit counts unpacked bytes, to the byte")
  func limit() async throws {
    let whole = try await response("gzip", Self.gzip(Self.hello), maxResponseBytes: 5)
    #expect(whole.text == "hello" && !whole.isTruncated)
    let cut = try await response("gzip", Self.gzip(Self.hello), maxResponseBytes: 4)
    #expect(cut.text == "hell" && cut.isTruncated)
  }

  @Test("A bomb ends at the limit, however many times it is packed")
  func bomb() async throws {
    // Few bytes that unpack to 2.6 MB.
    let bomb = LocalServer.Coding.gzip.pack(0, times: 2_580_000)
    let once = try await response("gzip", bomb, maxResponseBytes: 1_000_000)
    #expect(once.isTruncated)
    #expect(once.body == Array(repeating: 0, count: 1_000_000))
    let twice = try await response("gzip, gzip", Self.gzip(bomb), maxResponseBytes: 1_000_000)
    #expect(twice.isTruncated)
    #expect(twice.body == once.body)
  }
}
#endif
