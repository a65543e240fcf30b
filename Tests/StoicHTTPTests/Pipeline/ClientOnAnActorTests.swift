import Foundation
import StoicHTTP
import Testing

@Suite("A client used from an actor") @MainActor
struct ClientOnAnActorTests {
  @Test("A call does not leave its caller's actor for what needs no waiting", arguments: [HTTPMethod.get, .post])
  func staysOnTheActor(_ method: HTTPMethod) async throws {
    let transport = ScriptedTransport()
    transport.on(.any, respond: [.status(200)])
    let api = HTTPClient(base: try #require(URL(string: "https://api.example.com")), transport: transport)
    var others = 0
    let other = Task { others += 1 }
    try await api.send(HTTPRequest(method: method, path: "/"))
    #expect(others == 0)
    await other.value
  }
}
