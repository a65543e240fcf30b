#if os(Linux) || os(macOS)
import Foundation
import StoicHTTP
import StoicLocalServer
import Testing

@Suite("Responses that libcurl's transport takes", .timeLimit(.minutes(5)))
struct CurlResponseTests {
  private func response(_ raw: String, maxResponseBytes: Int = 1_000) async throws -> HTTPResponse {
    let server = try await LocalServer.start(raw: raw)
    defer { server.stop() }
    return try await CurlTransport().send(.to(server), maxResponseBytes: maxResponseBytes)
  }

  @Test("A response that ends in the middle of its head is a lost connection, and the process goes on")
  func cutHead() async throws {
    for raw in [
      "HTTP/1.1 200 OK|", "HTTP/1.1 200 OK|Content-Length: 5|", "HTTP/1.1 200 OK|Content-Le",
      "HTTP/1.1 100 Continue||", "HTTP/1.1 103 Early Hints|Link: a|",
    ] {
      await #expect(throws: TransportError(code: .networkConnectionLost, mayHaveActed: true), "\(raw)") {
        _ = try await response(raw)
      }
    }
  }

  @Test("Trailers after chunks are taken, and belong to nothing")
  func trailers() async throws {
    let response = try await response(
      "HTTP/1.1 200 OK|Transfer-Encoding: chunked||5|hello|0|X-Check: 1|HTTP/1.1 500 no|")
    #expect(response.text == "hello")
    #expect(response.status == 200)
    #expect(response.headers.map(\.name) == ["Transfer-Encoding"])
  }

  @Test("A length of 2^63 - 1 is over the limit, and the process goes on")
  func hugeLength() async throws {
    let response = try await response("HTTP/1.1 200 OK|Content-Length: 9223372036854775807||hello")
    #expect(response.isTruncated)
    #expect(response.body == [])
  }
}
#endif
