import StoicHTTP
import StoicTesting
import Testing

@Suite("Requests within the work of a shared request")
struct RequestsWithin {
  @Test(
    "A request that a transport makes within the work of the same request is one of its own, through other calls as well",
    arguments: [HTTPRequest.get("/x"), .post("/token")])
  func within(first: HTTPRequest) throws {
    try simulate(seeds: 0..<10) {
      let client = Kept<HTTPClient?>(nil)
      let transport = AnsweringTransport { number, request in
        // Each of the first two asks for what may be under way already.
        if number == 0 { try await client.value?.send(first) }
        if number == 1 { try await client.value?.send(.get("/x")) }
        return HTTPResponse(status: 200, body: [UInt8(number)], url: request.url)
      }
      let api = HTTPClient(base: makeURL("https://h"), transport: transport, policy: Rig.pinned)
      client.change { $0 = api }
      let body = try await api.send(.get("/x")).body
      #expect(body == [0])
      #expect(transport.requests.count == 3 && api.flights == 0)
    }
  }
}
