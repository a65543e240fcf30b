import Foundation
import StoicHTTP
import StoicTesting
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Cases: fields that the client adds, and those that come back")
struct AcceptCases {
  @Test(
    "HD-12: Accept and User-Agent are added only where they are absent, whatever their case",
    arguments: ["Accept", "User-Agent"])
  func added(name: String) async throws {
    for (spelling, value) in zip(name.inOtherCases, ["application/vnd.x+json", "", "a, b;q=0.5"]) {
      var byClient = Rig()
      byClient.headers = [spelling: value]
      for (rig, request) in [
        (Rig(), HTTPRequest.get("/n").header(spelling, value)), (byClient, HTTPRequest.get("/n")),
      ] {
        rig.transport.on(.get("/n"), respond: [.status(503), .json("7"), .json("7")])
        #expect(try await rig.run { try await $0.send(request, decoding: .int) } == 7)
        _ = try await rig.run { try await $0.send(request) }
        #expect(rig.transport.requests.map { $0.headers.values(for: name) } == [[value], [value], [value]])
      }
    }
  }

  @Test("HD-12: Without one there is exactly one, by what is asked for, at any origin")
  func absent() async throws {
    let rig = Rig()
    for target in ["https://api.example.com/n", "https://other.example/n"] {
      let url = makeURL(target)
      rig.transport.on(.get(url), respond: [.json("7")])
      _ = try await rig.run { try await $0.send(.get(url), decoding: .int) }
      _ = try await rig.run { try await $0.send(.get(url)) }
    }
    let accepts = rig.transport.requests.map { $0.headers.values(for: "accept") }
    #expect(accepts == [["application/json"], ["*/*"], ["application/json"], ["*/*"]])
    #expect(rig.transport.requests.allSatisfy { $0.headers.values(for: "User-Agent").count == 1 })
  }

  static let cookies: [[String]] = [
    ["a=1; Expires=Mon, 19 Jan 2026 00:00:00 GMT", "b=2"], ["a=1, 2", "a=1, 2"], ["a=\"x, y\"; Path=/"],
    ["", "b=2"],
  ]

  @Test("HD-09: Repeated fields come back one by one and in order, commas and all", arguments: cookies)
  func repeated(values: [String]) async throws {
    for name in ["Set-Cookie", "WWW-Authenticate", "Link"] {
      let rig = Rig()
      let spellings = name.inOtherCases
      let fields = values.enumerated().map { HTTPHeaders.Field(spellings[$0.offset % 3], $0.element) }
      rig.transport.on(.get("/x"), respond: [.status(200, headers: HTTPHeaders(fields))])
      let response = try await rig.run { try await $0.send(.get("/x")) }
      #expect(response.headers.values(for: name) == values)
      #expect(response.headers.map(\.value) == values)
    }
  }

  @Test("HD-09: Cookies are read from a scripted response as from the platform's")
  func parsed() async throws {
    let rig = Rig()
    let fields = ["a=1; Expires=Mon, 19 Jan 2066 00:00:00 GMT", "b=2"].map {
      HTTPHeaders.Field("Set-Cookie", $0)
    }
    rig.transport.on(.get("/x"), respond: [.status(200, headers: HTTPHeaders(fields))])
    let response = try await rig.run { try await $0.send(.get("/x")) }
    let cookies = response.headers.values(for: "set-cookie").flatMap {
      HTTPCookie.cookies(withResponseHeaderFields: ["Set-Cookie": $0], for: response.url)
    }
    #expect(cookies.map { "\($0.name)=\($0.value)" } == ["a=1", "b=2"])
  }
}
