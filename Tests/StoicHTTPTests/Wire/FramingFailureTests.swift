import Foundation
import StoicHTTP
import StoicLocalServer
import Testing

@Suite("A response that is cut or broken is a failure", .timeLimit(.minutes(30)))
struct FramingFailureTests {
  private func failure(_ wire: WireTransport, _ raw: LocalServer.Response) async throws -> TransportError? {
    let server = try await LocalServer.start { _ in raw }
    defer { server.stop() }
    return await #expect(throws: TransportError.self) {
      _ = try await wire().send(.to(server))
    }
  }

  @Test(
    "A body that ends early is a lost connection", arguments: WireTransport.all,
    [
      "Content-Length: 100||hello",
      "Content-Length: 1||",
      "Transfer-Encoding: chunked||5|hello|",
      "Transfer-Encoding: chunked||50|hello",
      "Transfer-Encoding: chunked||",
    ])
  func cut(_ wire: WireTransport, _ rest: String) async throws {
    let error = try await failure(wire, .raw(lines: "HTTP/1.1 200 OK|" + rest))
    #expect(error == TransportError(code: .networkConnectionLost, mayHaveActed: true))
  }

  @Test("A body that ends in a reset is a lost connection", arguments: WireTransport.all)
  func reset(_ wire: WireTransport) async throws {
    let error = try await failure(
      wire,
      .raw([.text("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhello"), .reset]))
    #expect(error == TransportError(code: .networkConnectionLost, mayHaveActed: true))
  }

  @Test(
    "Framing that makes no sense is a bad response", arguments: WireTransport.all,
    [
      "HTTP/1.1 200 OK|Transfer-Encoding: chunked||zz|hello|0||",
      "HTTP/1.1 200 OK|Content-Length: -1||hello",
      "HTTP/1.1 200 OK|Content-Length: abc||hello",
      "HTTP/1.1 200 OK|Content-Length: 5, 20||hello",
      "HTTP/1.1 200 OK|Content-Length: 5|Content-Length: 20||hello",
      "HTTP/1.1 302 Found|Location: /a|Content-Length: 5, 20||hello",
      "HTTP/1.1 302 Found|Content-Length: 5, 20||hello",
      "HTTP/1.1 401 Who|WWW-Authenticate: Basic realm=\"a\"|Content-Length: 5, 20||hello",
      "HTTP/1.1 200 OK|Content-Encoding: gzip|Content-Length: 5, 20||hello",
      "hello||",
      "HTTP/1.1 099 No|Content-Length: 5||hello",
      "HTTP/1.1 1000 No|Content-Length: 5||hello",
    ])
  func senseless(_ wire: WireTransport, _ response: String) async throws {
    let error = try await failure(wire, .raw(lines: response))
    // A platform that unpacks by itself may see first that this is not packed.
    let isUnpacked = response.contains("gzip") && wire.has(.joinsResponseFields) && !wire.has(.passesCutGzip)
    let code = isUnpacked ? URLError.Code.cannotDecodeContentData : .badServerResponse
    #expect(error == TransportError(code: code, mayHaveActed: true))
  }

  @Test(
    "A length said twice the same is that length", arguments: WireTransport.all,
    ["5, 5", "5|Content-Length: 5"])
  func twice(_ wire: WireTransport, _ length: String) async throws {
    let server = try await LocalServer.start { _ in
      .raw(lines: "HTTP/1.1 200 OK|Content-Length: \(length)||hello")
    }
    defer { server.stop() }
    #expect(try await wire().send(.to(server)).text == "hello")
  }

  @Test("A length too large for any number is over every limit", arguments: WireTransport.all)
  func uncountable(_ wire: WireTransport) async throws {
    let server = try await LocalServer.start { _ in
      .raw(lines: "HTTP/1.1 200 OK|Content-Length: 99999999999999999999||hello")
    }
    defer { server.stop() }
    #expect(try await wire().send(.to(server)).isTruncated)
  }

  @Test(
    "A body that cannot be unpacked is a failure to decode",
    arguments: WireTransport.each([
      ("gzip", Array("hello".utf8)), ("made-up", Array("hello".utf8)),
      ("gzip", LocalServer.Coding.gzip.pack("hello") + [0]),
      ("gzip", LocalServer.Coding.gzip.pack("hello", fault: .checksum)),
    ]))
  func coding(_ wire: WireTransport, _ coding: String, _ body: [UInt8]) async throws {
    let error = try await failure(
      wire,
      LocalServer.Response(status: 200, headers: ["Content-Encoding": coding], body: [.bytes(body)]))
    #expect(error == TransportError(code: .cannotDecodeContentData, mayHaveActed: true))
  }

  @Test("A gzip body that its framing shows to be cut is a failure", arguments: WireTransport.all)
  func cutGzip(_ wire: WireTransport) async throws {
    let packed = LocalServer.Coding.gzip.pack("hello")
    let error = try await failure(
      wire,
      LocalServer.Response(
        status: 200, headers: ["Content-Encoding": "gzip"], body: [.bytes(packed.dropLast(10) + []), .close],
        chunked: true))
    #expect(error == TransportError(code: .networkConnectionLost, mayHaveActed: true))
  }

  @Test(
    "A gzip body that is cut inside its framing is a failure, or a short body where the platform does not look",
    arguments: WireTransport.all)
  func cutGzipInFraming(_ wire: WireTransport) async throws {
    let packed = LocalServer.Coding.gzip.pack("hello").dropLast(10)
    let cut = LocalServer.Response(
      status: 200, headers: ["Content-Encoding": "gzip"], body: [.bytes(Array(packed))])
    guard wire.has(.passesCutGzip) else {
      #expect(try await failure(wire, cut)?.code == .cannotDecodeContentData)
      return
    }
    let server = try await LocalServer.start { _ in cut }
    defer { server.stop() }
    let response = try await wire().send(.to(server))
    #expect(response.text == "hel" && !response.isTruncated)
  }

  @Test("TLS to a port that speaks plain HTTP is a failed secure connection", arguments: WireTransport.all)
  func plainForTLS(_ wire: WireTransport) async throws {
    let server = try await LocalServer.start { _ in .text("plain") }
    defer { server.stop() }
    let url = try #require(URL(string: "https://127.0.0.1:\(server.port)/"))
    let mayHaveActed = wire.has(.suspectsFailedTLS)
    await #expect(throws: TransportError(code: .secureConnectionFailed, mayHaveActed: mayHaveActed)) {
      _ = try await wire().send(TransportRequest(method: .get, url: url))
    }
  }
}
