#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking
import StoicLocalServer
import Testing

@Suite("The platform's repeats", .timeLimit(.minutes(30)))
struct PlatformRepeatTests {
  static let methods = ["GET", "HEAD", "PUT", "DELETE", "POST", "PATCH"]

  @Test(
    "Platform: on a fresh connection each method is sent once, and an end and a reset have codes of their own",
    arguments: methods, [Loss.end, .reset])
  func fresh(_ method: String, _ loss: Loss) async throws {
    let server = try await LocalServer.start { _ in loss.response }
    defer { server.stop() }
    let body = method == "GET" || method == "HEAD" ? nil : "x"
    let code = await Platform().failure(method, server, body: body)
    #expect(code == (loss == .end ? .badServerResponse : .networkConnectionLost))
    #expect(server.requests.count == 1)
  }

  @Test(
    "Platform: on a connection used before each method is sent twice, a POST too, and nobody is told",
    arguments: methods)
  func reused(_ method: String) async throws {
    let server = try await LocalServer.start { request in
      request.path == "/warm" || request.connection > 1 ? .text("well") : .drop
    }
    defer { server.stop() }
    let platform = Platform()
    _ = try await platform.send("GET", server, "/warm")
    #expect(try await platform.send(method, server, "/x").status == 200)
    #expect(server.requests.filter { $0.path == "/x" }.map(\.method) == [method, method])
  }

  @Test("Platform: half a body is asked for once", arguments: [Loss.end, .reset])
  func half(_ loss: Loss) async throws {
    let server = try await LocalServer.start { _ in
      .raw([.text("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc"), loss == .end ? .close : .reset])
    }
    defer { server.stop() }
    let code = await Platform().failure("GET", server)
    #expect(code == .unknown || code == .networkConnectionLost)
    #expect(server.requests.count == 1)
  }
}
#endif
