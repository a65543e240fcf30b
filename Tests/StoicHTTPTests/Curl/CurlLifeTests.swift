#if os(Linux) || os(macOS)
import Foundation
import Stoic
import StoicHTTP
import StoicLocalServer
import StoicTesting
import Testing

@Suite("How exchanges on libcurl's transport end", .timeLimit(.minutes(30)))
struct CurlLifeTests {
  private static let timedOut = TransportError(code: .timedOut, mayHaveActed: true)

  @Test("A timeout before anything was sent says that the server has not acted")
  func unsent() async throws {
    let server = try await LocalServer.start { _ in .hang }
    defer { server.stop() }
    let clock = TestClock()
    var configuration = CurlTransport.Configuration()
    configuration.maxConnectionsPerHost = 1
    let transport = try CurlTransport(configuration)
    let first = Task { try await transport.send(.to(server)) }
    await server.waitForRequests(1)
    let second = Task {
      try await withClock(clock) { try await transport.send(.to(server, timeout: .seconds(1))) }
    }
    await clock.waitForSleepers(1)
    clock.advance(by: .seconds(1))
    await #expect(throws: TransportError(code: .timedOut, mayHaveActed: false)) { _ = try await second.value }
    first.cancel()
    await #expect(throws: CancellationError.self) { _ = try await first.value }
    #expect(server.requests.count == 1)
  }

  @Test("No time at all is a timeout, and nothing is sent", arguments: [Duration.zero, .seconds(-1)])
  func noTime(_ timeout: Duration) async throws {
    let server = try await LocalServer.start { _ in .status(200) }
    defer { server.stop() }
    let transport = try CurlTransport()
    await #expect(throws: TransportError(code: .timedOut, mayHaveActed: false)) {
      _ = try await transport.send(.to(server, timeout: timeout))
    }
    #expect(server.connectionsAccepted == 0)
  }

  @Test(
    "Cancelling ends the exchange and the connection, in silence, in a head and in a body", arguments: 0..<3)
  func cancelled(_ place: Int) async throws {
    let server = try await LocalServer.start { _ in
      switch place {
      case 0: .hang
      case 1: .raw([.text("HTTP/1.1 200 OK\r\nX-A"), .hang])
      default:
        LocalServer.Response(status: 200, body: [.repeated(0x61, count: 100_000), .hang], chunked: true)
      }
    }
    defer { server.stop() }
    let transport = try CurlTransport()
    let clock = TestClock()
    let call = Task {
      try await withClock(clock) { try await transport.send(.to(server, timeout: .seconds(10))) }
    }
    await server.waitForRequests(1)
    if place == 2 { await server.waitForBytesSent(100_000) }
    call.cancel()
    await #expect(throws: CancellationError.self) { _ = try await call.value }
    #expect(await server.waitForDisconnects(1))
    #expect(clock.sleepers == [])
  }

  @Test("Shutting down ends what is under way, closes everything and refuses what comes after")
  func shutDown() async throws {
    let server = try await LocalServer.start { request in request.path == "/warm" ? .text("warm") : .hang }
    defer { server.stop() }
    let transport = try CurlTransport()
    _ = try await transport.send(.to(server, "/warm"))
    let calls = (0..<8).map { _ in Task { try await transport.send(.to(server)) } }
    await server.waitForRequests(9)
    await transport.shutDown()
    for call in calls {
      await #expect(throws: TransportError(code: .cancelled, mayHaveActed: true)) { _ = try await call.value }
    }
    #expect(await server.waitForOpenConnections(atMost: 0))
    await #expect(throws: TransportError(code: .cancelled, mayHaveActed: false)) {
      _ = try await transport.send(.to(server))
    }
    await transport.shutDown()
    #expect(server.requests.count == 9)
  }

  @Test("A transport that is let go closes its connections")
  func letGo() async throws {
    let server = try await LocalServer.start { _ in .text("well") }
    defer { server.stop() }
    _ = try await CurlTransport().send(.to(server))
    #expect(await server.waitForOpenConnections(atMost: 0))
  }

  @Test("Connections that nobody uses are closed after their time, and new ones are made when needed")
  func idle() async throws {
    let server = try await LocalServer.start { _ in .text("well") }
    defer { server.stop() }
    var configuration = CurlTransport.Configuration()
    configuration.idleTimeout = .milliseconds(1)
    let transport = try CurlTransport(configuration)
    for _ in 0..<3 {
      _ = try await transport.send(.to(server))
      #expect(await server.waitForOpenConnections(atMost: 0))
    }
    #expect(server.connectionsAccepted == 3)
  }

  @Test("One connection serves one exchange after another, of any method")
  func kept() async throws {
    let server = try await LocalServer.start { _ in .text("well") }
    defer { server.stop() }
    let transport = try CurlTransport()
    for method in [HTTPMethod.get, .post, .head, .put, .delete, .patch, .get] {
      _ = try await transport.send(.to(server, "/", method, mayRepeat: method == .put))
    }
    #expect(Set(server.requests.map(\.connection)) == [1])
    #expect(transport.counts.connections == 1)
  }

  @Test("Connections to one host stay within their number, and the others wait", arguments: [1, 3])
  func bounded(_ count: Int) async throws {
    let server = try await LocalServer.start { _ in .text("well") }
    defer { server.stop() }
    var configuration = CurlTransport.Configuration()
    configuration.maxConnectionsPerHost = count
    let transport = try CurlTransport(configuration)
    try await withThrowingTaskGroup(of: HTTPResponse.self) { group in
      for _ in 0..<32 { group.addTask { try await transport.send(.to(server)) } }
      for try await response in group { #expect(response.status == 200) }
    }
    #expect(server.requests.count == 32)
    #expect(server.connectionsAccepted <= count)
  }

  @Test("Whoever waits for a connection gets one, although those before have left", arguments: [1, 2])
  func waiting(_ count: Int) async throws {
    var configuration = CurlTransport.Configuration()
    configuration.maxConnectionsPerHost = count
    let transport = try CurlTransport(configuration)
    for _ in 0..<20 {
      let server = try await LocalServer.start { request in
        request.path == "/hang" ? .hang : .text("well")
      }
      defer { server.stop() }
      let blocking = (0..<count).map { _ in Task { try await transport.send(.to(server, "/hang")) } }
      await server.waitForRequests(count)
      // All wait, in some order; most of them leave at the same moment as those that keep them waiting.
      let leaving = (0..<6).map { _ in Task { try await transport.send(.to(server)) } }
      let staying = (0..<2).map { _ in Task { try await transport.send(.to(server)) } }
      for _ in 0..<20 { await Task.yield() }
      for task in blocking + leaving { task.cancel() }
      for task in staying { #expect(try await task.value.text == "well") }
      for task in blocking + leaving { _ = await task.result }
    }
  }

  @Test("Several threads share the work", arguments: [2, 4])
  func threads(_ count: Int) async throws {
    let server = try await LocalServer.start { _ in .text("well") }
    defer { server.stop() }
    var configuration = CurlTransport.Configuration()
    configuration.threads = count
    let transport = try CurlTransport(configuration)
    for _ in 0..<(2 * count) { _ = try await transport.send(.to(server)) }
    #expect(server.connectionsAccepted == count)
    await transport.shutDown()
    #expect(await server.waitForOpenConnections(atMost: 0))
  }

  @Test("Numbers and times that make no sense are brought into ones that do")
  func nonsense() async throws {
    let server = try await LocalServer.start { _ in .text("well") }
    defer { server.stop() }
    for (number, time) in [
      (Int.min, Duration.seconds(Int64.min)), (0, .zero), (Int.max, .seconds(Int64.max)),
    ] {
      var configuration = CurlTransport.Configuration()
      configuration.threads = min(number, 2)
      configuration.maxConnectionsPerHost = number
      configuration.maxIdleConnections = number
      configuration.idleTimeout = time
      configuration.connectTimeout = time
      let transport = try CurlTransport(configuration)
      guard time > .zero else { continue }
      #expect(try await transport.send(.to(server)).text == "well")
      configuration.maxHeaderBytes = number
      _ = try CurlTransport(configuration)
    }
  }

  @Test("A refused connection and a host that is not there are told apart, and nothing was sent")
  func unreachable() async throws {
    let transport = try CurlTransport()
    for (text, code) in [
      ("http://127.0.0.1:1/", URLError.Code.cannotConnectToHost),
      ("https://127.0.0.1:1/", .cannotConnectToHost),
      ("http://nobody.invalid/", .cannotFindHost),
    ] {
      let url = try #require(URL(string: text))
      await #expect(throws: TransportError(code: code, mayHaveActed: false)) {
        _ = try await transport.send(TransportRequest(method: .post, url: url))
      }
    }
  }

  @Test("Plain text where TLS was expected is a failed secure connection, and nothing was sent")
  func notSecure() async throws {
    let server = try await LocalServer.start { _ in .raw("HTTP/1.1 400 Bad Request\r\n\r\n") }
    defer { server.stop() }
    let url = try #require(URL(string: "https://127.0.0.1:\(server.port)/"))
    let transport = try CurlTransport()
    let error = await #expect(throws: TransportError.self) {
      _ = try await transport.send(TransportRequest(method: .get, url: url))
    }
    #expect(error == TransportError(code: .secureConnectionFailed, mayHaveActed: false))
  }

  @Test("A file of certificates that is not there is a failed secure connection")
  func noFile() async throws {
    let server = try await LocalServer.start { _ in .hang }
    defer { server.stop() }
    var configuration = CurlTransport.Configuration()
    configuration.caFile = "/nowhere/ca.pem"
    let url = try #require(URL(string: "https://127.0.0.1:\(server.port)/"))
    let transport = try CurlTransport(configuration)
    await #expect(throws: TransportError(code: .secureConnectionFailed, mayHaveActed: false)) {
      _ = try await transport.send(TransportRequest(method: .get, url: url))
    }
  }
}
#endif
