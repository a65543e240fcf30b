import Foundation
import StoicHTTP
import StoicLocalServer
import Testing

@Suite("Transports on sockets in the check", .timeLimit(.minutes(30)))
struct WireConformanceTests {
  @Test("Each keeps every rule but the known limits of its platform", arguments: WireTransport.all)
  func rules(_ wire: WireTransport) async throws {
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
    // Beside a whole test suite on two cores, a task may wait for its thread for half a minute.
    let report = try await TransportConformance.check(
      wire(), at: server.baseURL, farEnd: farEnd, refusing: closed.baseURL, patience: .seconds(1_200))
    try report.verify(knownLimits: wire.has(.joinsResponseFields) ? [.redirectBody, .fieldsApart] : [])
  }
}

extension LocalServer.Response {
  /// What a far end says, as the loopback server sends it.
  init(_ answer: TransportConformance.Answer) {
    guard case .response(let response) = answer else {
      self = .drop
      return
    }
    self.init(
      status: response.status, headers: response.headers.map { ($0.name, $0.value) },
      body: [.bytes(response.body)])
    switch response.length {
    case .declared(let length): headers.append(("Content-Length", "\(length)"))
    case .undeclared: chunked = true
    }
    switch response.ending {
    case .whole: break
    case .cut: body.append(.close)
    case .stalled: body.append(.hang)
    }
  }
}
