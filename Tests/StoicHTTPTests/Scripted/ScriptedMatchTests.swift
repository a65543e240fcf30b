import Foundation
import Stoic
import StoicHTTP
import Testing

@Suite("Which requests a route answers", .timeLimit(.minutes(30)))
struct ScriptedMatchTests {
  /// Whether a route with this match, the only one, answers a request.
  private func fits(_ match: ScriptedTransport.Match, _ request: TransportRequest) async throws -> Bool {
    let transport = ScriptedTransport()
    transport.on(match, respond: [.status(299)])
    let status = try await transport.send(request).status
    #expect(status == 299 ? transport.unscripted.isEmpty : transport.unscripted.count == 1)
    return status == 299
  }

  private func to(_ url: String, _ headers: HTTPHeaders = [:], _ method: HTTPMethod = .get)
    -> TransportRequest
  {
    TransportRequest(method: method, url: makeURL(url), headers: headers)
  }

  @Test("Anything fits a match that names nothing")
  func any() async throws {
    #expect(try await fits(.any, to("https://h/a?b", [:], .trace)))
    #expect(try await fits(.any, to("http://h")))
    #expect(try await fits(ScriptedTransport.Match(path: "/"), to("http://h")))
  }

  @Test("Method and path have to be the same, the path in any way of writing the pattern")
  func methodAndPath() async throws {
    let post = ScriptedTransport.Match(method: .post, path: "/a b")
    #expect(try await fits(post, to("https://h/a%20b?q", [:], .post)))
    #expect(try await !fits(post, to("https://h/a%20b")))
    #expect(try await !fits(post, to("https://h/a", [:], .post)))
    #expect(try await fits(.init(.get("users/42")), to("https://h/users/42")))
    #expect(try await !fits(.init(.get("/../up")), to("https://h/up")))
  }

  @Test("A host is compared without case, its port where one is given")
  func host() async throws {
    #expect(try await fits(.init(host: "API.example.com"), to("https://api.example.com/")))
    #expect(try await fits(.init(host: "h"), to("http://h:8080/")))
    #expect(try await fits(.init(host: "h:443"), to("https://h/")))
    #expect(try await !fits(.init(host: "h:443"), to("http://h/")))
    #expect(try await !fits(.init(host: "h"), to("https://other/")))
    for hostile in ["", "h:99999", "["] {
      #expect(try await !fits(.init(host: hostile), to("https://h/")))
    }
  }

  @Test("A query's items have to be among the request's, decoded; a pattern's query has to be the whole")
  func query() async throws {
    let items = ScriptedTransport.Match(query: ["q": "a b&=", "flag": nil])
    #expect(try await fits(items, to("https://h/?x=1&q=a%20b%26%3D&flag")))
    #expect(try await !fits(items, to("https://h/?q=a%20b%26%3D&flag=")))
    #expect(try await !fits(items, to("https://h/?q=a+b%26%3D&flag")))
    #expect(try await !fits(items, to("https://h/")))
    #expect(try await fits(.init(.get("/", query: ["q": "1"])), to("https://h/?q=1")))
    #expect(try await !fits(.init(.get("/", query: ["q": "1"])), to("https://h/?q=1&r=2")))
  }

  @Test("Fields have to be among the request's, names without case, repeated ones one by one")
  func headers() async throws {
    let match = ScriptedTransport.Match(headers: ["x-t": "b", "X-T": "a"])
    #expect(try await fits(match, to("https://h/", ["X-T": "a", "Y": "1", "x-T": "b"])))
    #expect(try await !fits(match, to("https://h/", ["X-T": "a"])))
    #expect(try await !fits(match, to("https://h/", ["X-T": "A", "x-t": "b"])))
  }

  @Test("Of routes that overlap the last added answers, also when its steps are used up")
  func precedence() async throws {
    let transport = ScriptedTransport()
    transport.on(.any, respond: [.status(201)])
    transport.on(.get("/x"), respond: [.status(202), .status(203)])
    transport.on(.get("/x"), host: "other", respond: [.status(204)])
    transport.on(.get("/x"), headers: ["X-T": "v"], respond: [.status(206)])
    #expect(try await transport.send(.scripted()).status == 202)
    #expect(try await transport.send(.scripted("/x", headers: ["X-T": "v"])).status == 206)
    #expect(try await transport.send(.scripted()).status == 203)
    #expect(try await transport.send(.scripted()).status == 203)
    #expect(try await transport.send(.scripted("/y")).status == 201)
    #expect(transport.unscripted.isEmpty)
    transport.on(.any, respond: [])
    #expect(try await transport.send(.scripted()).status == 404)
    #expect(transport.unscripted.count == 1)
  }

  @Test("A condition is asked for what fits otherwise, newest route first, and no lock is held")
  func condition() async throws {
    let asked = Lock<[String]>([])
    let transport = ScriptedTransport()
    transport.on(.get("/x"), respond: [.status(201)])
    transport.on(
      .get("/x"),
      where: { request in
        asked.withLock { $0.append("body \(transport.requests.count)") }
        return !request.body.isEmpty
      }, respond: [.status(202)])
    transport.on(
      .init(
        path: "/x",
        where: { _ in
          asked.withLock { $0.append("never") }
          return false
        }), respond: [.status(203)])
    #expect(try await transport.send(.scripted("/x", body: [1])).status == 202)
    #expect(try await transport.send(.scripted()).status == 201)
    #expect(try await transport.send(.scripted("/other")).status == 404)
    #expect(asked.withLock { $0 } == ["never", "body 1", "never", "body 2"])
  }

  @Test("A step is not used by a request whose condition fails")
  func unused() async throws {
    let transport = ScriptedTransport()
    transport.on(
      .get("/x"), query: ["a": "b"], headers: ["X-T": "v"], where: { $0.body == [1] },
      respond: [.status(201)], then: .status(202))
    let request = TransportRequest.scripted("/x?a=b", headers: ["X-T": "v"], body: [1])
    #expect(try await transport.send(.scripted("/x?a=b", headers: ["X-T": "v"])).status == 404)
    #expect(try await transport.send(request).status == 201)
    #expect(try await transport.send(request).status == 202)
  }
}
