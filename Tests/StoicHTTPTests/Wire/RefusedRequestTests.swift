import Foundation
import StoicHTTP
import StoicLocalServer
import Testing

@Suite("Requests that the platform would change are not sent", .timeLimit(.minutes(30)))
struct RefusedRequestTests {
  @Test(
    "A method that the platform would spell otherwise is refused", arguments: WireTransport.all,
    ["get", "Post", "hEAD", "delete"])
  func spelling(_ wire: WireTransport, _ name: String) async throws {
    let server = try await LocalServer.start { _ in .status(200) }
    defer { server.stop() }
    guard wire.has(.respellsMethods) else {
      _ = try await wire().send(.to(server, "/", HTTPMethod(name)))
      #expect(server.requests.map(\.method) == [name])
      return
    }
    await #expect(throws: TransportError(code: .unsupportedURL, mayHaveActed: false)) {
      _ = try await wire().send(.to(server, "/", HTTPMethod(name)))
    }
    #expect(server.connectionsAccepted == 0)
  }

  @Test(
    "The client says that such a request was not sent",
    arguments: WireTransport.all.filter { $0.has(.respellsMethods) })
  func spellingThroughClient(_ wire: WireTransport) async throws {
    let server = try await LocalServer.start { _ in .status(200) }
    defer { server.stop() }
    let error = await WireClient(server, on: wire).start(HTTPRequest(method: HTTPMethod("get"), path: "/"))
      .httpError
    guard case .transport(.unsupportedURL, let call)? = error else { throw Unexpected(error) }
    #expect(!call.mayHaveActed)
    #expect(server.connectionsAccepted == 0)
  }

  @Test(
    "Another protocol is refused", arguments: WireTransport.all,
    ["ftp://127.0.0.1/a", "data:text/plain,a", "file:///etc/hosts", "/a"])
  func scheme(_ wire: WireTransport, _ text: String) async throws {
    let url = try #require(URL(string: text))
    await #expect(throws: TransportError(code: .unsupportedURL, mayHaveActed: false)) {
      _ = try await wire().send(TransportRequest(method: .get, url: url))
    }
  }

  @Test(
    "A path with dot segments, which the platform would resolve, is refused", arguments: WireTransport.all,
    ["/a/../b", "/./b", "/a/.."])
  func dots(_ wire: WireTransport, _ path: String) async throws {
    let server = try await LocalServer.start { _ in .status(200) }
    defer { server.stop() }
    let url = try #require(URL(string: "http://127.0.0.1:\(server.port)\(path)"))
    guard wire.has(.resolvesDotSegments) else {
      _ = try await wire().send(TransportRequest(method: .get, url: url))
      #expect(server.requests.map(\.target) == [path])
      return
    }
    await #expect(throws: TransportError(code: .badURL, mayHaveActed: false)) {
      _ = try await wire().send(TransportRequest(method: .get, url: url))
    }
    #expect(server.connectionsAccepted == 0)
  }

  @Test(
    "A GET or HEAD with a body, which the platform would drop, is refused", arguments: WireTransport.all,
    [HTTPMethod.get, .head])
  func body(_ wire: WireTransport, _ method: HTTPMethod) async throws {
    let server = try await LocalServer.start { _ in .status(200) }
    defer { server.stop() }
    await #expect(throws: TransportError(code: .dataLengthExceedsMaximum, mayHaveActed: false)) {
      _ = try await wire().send(.to(server, "/", method, body: [1]))
    }
    #expect(server.connectionsAccepted == 0)
  }

  @Test(
    "A field that would break out of its line is refused", arguments: WireTransport.all,
    ["\r\n", "\r", "\n", "\0"].map(Array.init))
  func fieldValue(_ wire: WireTransport, _ end: [Character]) async throws {
    let server = try await LocalServer.start { _ in .status(200) }
    defer { server.stop() }
    for headers: HTTPHeaders in [["X-A": "a\(String(end))X-B: b"], ["X-A: a\(String(end))X-B": "b"]] {
      await #expect(throws: TransportError(code: .badURL, mayHaveActed: false)) {
        _ = try await wire().send(.to(server, headers: headers))
      }
    }
    #expect(server.connectionsAccepted == 0)
  }

  @Test(
    "A field that frames the message or manages the connection is refused", arguments: WireTransport.all,
    [
      "Content-Length", "transfer-encoding", "Connection", "Expect", "TE", "Trailer", "Upgrade", "Keep-Alive",
      "Proxy-Connection",
    ])
  func framing(_ wire: WireTransport, _ name: String) async throws {
    let server = try await LocalServer.start { _ in .status(200) }
    defer { server.stop() }
    await #expect(throws: TransportError(code: .badURL, mayHaveActed: false)) {
      _ = try await wire().send(.to(server, "/", .post, headers: [name: "3"], body: Array("abcdef".utf8)))
    }
    #expect(server.connectionsAccepted == 0)
  }

  @Test("A method that would break out of its line is refused", arguments: WireTransport.all)
  func brokenMethod(_ wire: WireTransport) async throws {
    let server = try await LocalServer.start { _ in .status(200) }
    defer { server.stop() }
    await #expect(throws: TransportError(code: .unsupportedURL, mayHaveActed: false)) {
      _ = try await wire().send(
        .to(server, "/", HTTPMethod("GET / HTTP/1.1\r\nX-A: b\r\n\r\nGET")))
    }
    #expect(server.connectionsAccepted == 0)
  }

  @Test(
    "A user name in the URL, which would be sent as a credential, is refused", arguments: WireTransport.all)
  func userInfo(_ wire: WireTransport) async throws {
    let url = try #require(URL(string: "http://me:secret@127.0.0.1:1/"))
    await #expect(throws: TransportError(code: .badURL, mayHaveActed: false)) {
      _ = try await wire().send(TransportRequest(method: .get, url: url))
    }
  }

  @Test(
    "No time at all is a timeout, and nothing is sent", arguments: WireTransport.all,
    [Duration.zero, .seconds(-1)])
  func noTime(_ wire: WireTransport, _ timeout: Duration) async throws {
    let server = try await LocalServer.start { _ in .status(200) }
    defer { server.stop() }
    await #expect(throws: TransportError(code: .timedOut, mayHaveActed: false)) {
      _ = try await wire().send(.to(server, timeout: timeout))
    }
    #expect(server.connectionsAccepted == 0)
  }
}
