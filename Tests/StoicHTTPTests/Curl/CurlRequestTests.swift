#if os(Linux) || os(macOS)
import Foundation
import StoicHTTP
import StoicLocalServer
import Testing

@Suite("Requests on libcurl's transport", .timeLimit(.minutes(30)))
struct CurlRequestTests {
  private func arrival(
    _ path: String = "/", _ method: HTTPMethod = .get, headers: HTTPHeaders = [:], body: [UInt8] = []
  ) async throws -> LocalServer.Request {
    let server = try await LocalServer.start { _ in .status(200) }
    defer { server.stop() }
    _ = try await CurlTransport().send(.to(server, path, method, headers: headers, body: body))
    #expect(server.requests.count == 1)
    return try #require(server.requests.first)
  }

  @Test(
    "A method goes out as it is",
    arguments: [
      "GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE", "TRACE", "QUERY", "get", "patch",
      "PROPFIND",
    ])
  func method(_ name: String) async throws {
    let request = try await arrival("/", HTTPMethod(name))
    #expect(request.method == name)
    let saysLength = ["POST", "PUT", "PATCH", "QUERY"].contains(name)
    #expect(request.headers("Content-Length") == (saysLength ? ["0"] : []))
  }

  @Test("A request has the fields that it says, in order and apart, and its host")
  func fields() async throws {
    var headers: HTTPHeaders = ["X-b": "1", "x-A": "", "Accept-Encoding": "identity"]
    headers.add("X-B", " a, b;c ")
    headers.add("X-Umlaut", "Grüße")
    for (method, body) in [(HTTPMethod.get, []), (.post, []), (.post, [1]), (.delete, []), (.put, [1])]
      as [(HTTPMethod, [UInt8])]
    {
      let request = try await arrival("/", method, headers: headers, body: body)
      let framing = ["Host", "Content-Length"]
      #expect(
        request.headers.filter { !framing.contains($0.name) }.map { "\($0.name)=\($0.value)" } == [
          "X-b=1", "x-A=", "Accept-Encoding=identity", "X-B=a, b;c", "X-Umlaut=Grüße",
        ])
    }
  }

  @Test("A body arrives byte for byte, for whichever method", arguments: [1, 70_000, 3_000_000])
  func body(_ count: Int) async throws {
    let body = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    for method in [HTTPMethod.post, .put, .patch, .delete, .query, .options] {
      let request = try await arrival("/", method, headers: ["Content-Type": "a/b"], body: body)
      #expect(request.body == body)
      #expect(request.headers("Content-Type") == ["a/b"])
      #expect(request.headers("Expect") == [])
    }
  }

  @Test(
    "A target goes out as it is written",
    arguments: [
      "/", "/a%2Fb", "/a%20b/%C3%A4", "/a;v=1/b:c@d", "/?q=a%2Bb&c&d=", "//a", "/a/../b", "/./%2e%2E/b",
      "/a?",
      "/?a=/../b",
    ])
  func target(_ target: String) async throws {
    let server = try await LocalServer.start { _ in .status(200) }
    defer { server.stop() }
    let url = try #require(URL(string: "http://127.0.0.1:\(server.port)\(target)"))
    _ = try await CurlTransport().send(TransportRequest(method: .get, url: url))
    #expect(server.requests.map(\.target) == [target])
  }

  private func refusal(_ request: TransportRequest) async throws -> TransportError? {
    let transport = try CurlTransport()
    let error = await #expect(throws: TransportError.self) { _ = try await transport.send(request) }
    #expect(transport.counts.sends == 0 && transport.counts.connections == 0)
    return error
  }

  @Test(
    "Another protocol is refused",
    arguments: ["ftp://127.0.0.1/a", "data:text/plain,a", "file:///etc/hosts", "/a", "gopher://127.0.0.1/"])
  func scheme(_ text: String) async throws {
    let url = try #require(URL(string: text))
    #expect(
      try await refusal(TransportRequest(method: .get, url: url))
        == TransportError(code: .unsupportedURL, mayHaveActed: false))
  }

  @Test(
    "A URL with a user, or without a host, is refused",
    arguments: ["http://me:s@127.0.0.1:1/", "http://me@a/"])
  func user(_ text: String) async throws {
    let url = try #require(URL(string: text))
    #expect(
      try await refusal(TransportRequest(method: .get, url: url))
        == TransportError(code: .badURL, mayHaveActed: false))
  }

  @Test("A method or a field that would break out of its line is refused")
  func lines() async throws {
    let url = try #require(URL(string: "http://127.0.0.1:1/"))
    for method in ["", "A B", "GET / HTTP/1.1\r\nX: y\r\n\r\nGET", "A\u{0}"] {
      #expect(
        try await refusal(TransportRequest(method: HTTPMethod(method), url: url))?.code == .unsupportedURL)
    }
    for (name, value) in [
      ("X", "a\r\nY: b"), ("X", "a\nb"), ("X", "a\u{0}b"), ("X: a\r\nY", "b"), ("", "a"), ("X;", "a"),
    ] {
      #expect(
        try await refusal(TransportRequest(method: .get, url: url, headers: [name: value]))?.code == .badURL)
    }
  }

  @Test("A GET or HEAD with a body is refused", arguments: [HTTPMethod.get, .head])
  func bodies(_ method: HTTPMethod) async throws {
    let url = try #require(URL(string: "http://127.0.0.1:1/"))
    #expect(
      try await refusal(TransportRequest(method: method, url: url, body: [1]))
        == TransportError(code: .dataLengthExceedsMaximum, mayHaveActed: false))
  }

  @Test(
    "A head that is larger than libcurl sends is the request's own fault, and nothing was sent",
    arguments: [(1_100_000, 1), (1, 3_000_000)])
  func tooLong(_ field: Int, _ path: Int) async throws {
    let server = try await LocalServer.start { _ in .text("") }
    defer { server.stop() }
    let transport = try CurlTransport()
    _ = try await transport.send(.to(server, "/warm"))
    let request = TransportRequest.to(
      server, "/" + String(repeating: "p", count: path), .post,
      headers: ["X-A": String(repeating: "a", count: field)])
    await #expect(throws: TransportError(code: .dataLengthExceedsMaximum, mayHaveActed: false)) {
      _ = try await transport.send(request)
    }
    #expect(transport.counts.sends == 1)
    #expect(try await transport.send(.to(server)).status == 200)
    #expect(server.requests.map(\.path) == ["/warm", "/"])
  }
}
#endif
