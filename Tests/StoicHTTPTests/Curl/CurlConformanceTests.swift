#if os(Linux) || os(macOS)
import StoicHTTP
import StoicLocalServer
import Testing

@Suite("libcurl's transport in the check", .timeLimit(.minutes(5)))
struct CurlConformanceTests {
  @Test("It keeps every rule")
  func everyRule() async throws {
    let farEnd = TransportConformance.FarEnd()
    let server = try await LocalServer.start { request in
      LocalServer.Response(
        await farEnd.answer(
          TransportConformance.Arrival(
            method: request.method, target: request.target,
            headers: HTTPHeaders(request.headers.map { HTTPHeaders.Field($0.name, $0.value) }),
            body: request.body)))
    }
    defer { server.stop() }
    let closed = try await LocalServer.start { _ in .drop }
    closed.stop()
    let transport = try CurlTransport()
    let report = try await TransportConformance.check(
      transport, at: server.baseURL, farEnd: farEnd, refusing: closed.baseURL)
    try report.verify()
    await transport.shutDown()
    #expect(await server.waitForOpenConnections(atMost: 0))
  }
}
#endif
