import Foundation
import StoicHTTP
import StoicLocalServer
import Testing

@Suite("What a request looks like on the wire", .timeLimit(.minutes(30)))
struct RequestFidelityTests {
  /// Sends a request and returns what arrived.
  private func arrival(
    _ wire: WireTransport, _ path: String = "/", _ method: HTTPMethod = .get, headers: HTTPHeaders = [:],
    body: [UInt8] = []
  ) async throws -> LocalServer.Request {
    let server = try await LocalServer.start { _ in .status(200) }
    defer { server.stop() }
    _ = try await wire().send(.to(server, path, method, headers: headers, body: body))
    #expect(server.requests.count == 1)
    return try #require(server.requests.first)
  }

  @Test(
    "A method goes out as it is", arguments: WireTransport.all,
    [
      "GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE", "TRACE", "QUERY", "patch", "PROPFIND",
    ])
  func method(_ wire: WireTransport, _ name: String) async throws {
    #expect(try await arrival(wire, "/", HTTPMethod(name)).method == name)
  }

  @Test("Fields go out with their values, names compared without case", arguments: WireTransport.all)
  func fields(_ wire: WireTransport) async throws {
    let request = try await arrival(
      wire,
      headers: [
        "X-Text": "a, b;c=\"d\"", "x-lower": "1", "Authorization": "Bearer t", "X-Umlaut": "Grüße",
      ])
    #expect(request.headers("X-Text") == ["a, b;c=\"d\""])
    #expect(request.headers("X-Lower") == ["1"])
    #expect(request.headers("Authorization") == ["Bearer t"])
    #expect(request.headers("X-Umlaut") == ["Grüße"])
  }

  @Test(
    "A repeated field goes out with all its values, joined where the platform sends one of a name",
    arguments: WireTransport.each([("X-Tag", "a, b"), ("Cookie", "a; b")]))
  func repeated(_ wire: WireTransport, _ name: String, _ value: String) async throws {
    var headers = HTTPHeaders()
    headers.add(name, "a")
    headers.add(name.lowercased(), " b ")
    let expected = wire.has(.joinsRequestFields) ? [value] : ["a", "b"]
    #expect(try await arrival(wire, headers: headers).headers(name) == expected)
  }

  @Test(
    "A field without a value, or with a blank one, goes out empty", arguments: WireTransport.all,
    ["", " ", "\t "])
  func empty(_ wire: WireTransport, _ value: String) async throws {
    #expect(try await arrival(wire, headers: ["X-Empty": value]).headers("X-Empty") == [""])
  }

  @Test("Fields that the platform adds give way to the request's own", arguments: WireTransport.all)
  func ownFields(_ wire: WireTransport) async throws {
    let own: HTTPHeaders = [
      "Accept": "a/b", "User-Agent": "me", "Accept-Language": "de", "Accept-Encoding": "identity",
      "Host": "other.test",
    ]
    let request = try await arrival(wire, headers: own)
    for field in own { #expect(request.headers(field.name) == [field.value]) }
  }

  @Test("No language is named that the request does not name", arguments: WireTransport.all)
  func noLanguage(_ wire: WireTransport) async throws {
    #expect(try await arrival(wire).headers("Accept-Language") == [])
  }

  @Test("A body arrives byte for byte", arguments: WireTransport.all, [1, 256, 70_000, 1_500_000])
  func body(_ wire: WireTransport, _ count: Int) async throws {
    let body = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let request = try await arrival(
      wire,
      "/", .post, headers: ["Content-Type": "application/octet-stream"], body: body)
    #expect(request.body == body)
    #expect(request.headers("Content-Type") == ["application/octet-stream"])
    #expect(request.headers("Expect") == [])
  }

  @Test(
    "A body without a type goes out without one", arguments: WireTransport.all,
    [HTTPMethod.post, .put, .delete])
  func untyped(_ wire: WireTransport, _ method: HTTPMethod) async throws {
    let request = try await arrival(wire, "/", method, body: Array("{}".utf8))
    #expect(request.text == "{}")
    #expect(request.headers("Content-Type") == [])
  }

  @Test(
    "Nothing goes out that nobody asked for, but for framing, connection and the client's name",
    arguments: WireTransport.all)
  func added(_ wire: WireTransport) async throws {
    let names = try await arrival(wire).headers.map { $0.name.lowercased() }.sorted()
    #expect(
      names
        == (wire.has(.addsFields)
          ? ["accept", "accept-encoding", "connection", "host", "user-agent"] : ["accept-encoding", "host"]))
  }

  @Test("A POST without a body says so, and names no type", arguments: WireTransport.all)
  func noBody(_ wire: WireTransport) async throws {
    let request = try await arrival(wire, "/", .post)
    #expect(request.headers("Content-Length") == ["0"])
    #expect(request.headers("Content-Type") == [])
  }

  @Test(
    "A target goes out as the client wrote it", arguments: WireTransport.all,
    ["/", "/a/b", "/a%2Fb", "/a%20b/%C3%A4", "/a;v=1/b:c@d", "/?q=a%2Bb&c&d=", "//a", "/%2e/b"])
  func target(_ wire: WireTransport, _ target: String) async throws {
    let server = try await LocalServer.start { _ in .status(200) }
    defer { server.stop() }
    let url = try #require(URL(string: "http://127.0.0.1:\(server.port)\(target)"))
    _ = try await wire().send(TransportRequest(method: .get, url: url))
    #expect(server.requests.map(\.target) == [target])
  }
}
