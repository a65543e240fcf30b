#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking
import StoicLocalServer
import Testing

@Suite("The platform's responses", .timeLimit(.minutes(30)))
struct PlatformResponseTests {
  private func exchange(_ response: LocalServer.Response) async throws -> Platform.Exchange {
    let server = try await LocalServer.start { _ in response }
    defer { server.stop() }
    return try await Platform().send("GET", server)
  }

  @Test(
    "Platform: a status is no error, and one without a reason phrase is well",
    arguments: [200, 404, 499, 503, 599])
  func status(_ status: Int) async throws {
    #expect(try await exchange(.status(status)).status == status)
  }

  @Test("Platform: repeated fields arrive joined, Set-Cookie too, and are found in any case")
  func fields() async throws {
    let answer = try await exchange(
      .text("", headers: ["X-Tag": "a", "X-Tag": "b", "Set-Cookie": "session=1", "Set-Cookie": "theme=dark"]))
    #expect(answer.field("x-tag") == "a, b")
    #expect(answer.field("SET-COOKIE") == "session=1, theme=dark")
    let url = try #require(answer.response.url)
    let joined = ["Set-Cookie": "session=1, theme=dark"]
    #expect(
      HTTPCookie.cookies(withResponseHeaderFields: joined, for: url).map(\.name) == ["session", "theme"])
  }

  @Test("Platform: of two fields whose names differ in case a look-up finds one, and the list has both")
  func twoCases() async throws {
    let answer = try await exchange(.text("", headers: ["X-Tag": "a", "x-tag": "b"]))
    #expect(["a", "b"].contains(answer.field("X-Tag")))
    let all = answer.response.allHeaderFields
    #expect(all["X-Tag"] as? String == "a" && all["x-tag"] as? String == "b")
  }

  @Test("Platform: cookies are kept and sent, by an ephemeral session too")
  func cookies() async throws {
    let server = try await LocalServer.start { _ in .text("", headers: ["Set-Cookie": "a=1; Path=/"]) }
    defer { server.stop() }
    let platform = Platform()
    for _ in 0..<2 { _ = try await platform.send("GET", server) }
    #expect(server.requests.map { $0.header("Cookie") } == [nil, "a=1"])
  }

  @Test(
    "Platform: a media type is told in small letters without its parameters, and is nil when there is none")
  func mediaType() async throws {
    let json = try await exchange(
      LocalServer.Response(
        status: 200, headers: ["Content-Type": "Application/JSON; charset=UTF-8"], body: [.text("{}")]))
    #expect(json.response.mimeType == "application/json")
    #expect(json.response.textEncodingName == "utf-8")
    let bare = try await exchange(LocalServer.Response(status: 200, body: [.text("{}")]))
    #expect(bare.response.mimeType == nil)
  }

  @Test(
    "Platform: a gzip body is unpacked, and what else libcurl was built for",
    arguments: [
      ("gzip", LocalServer.Coding.gzip.pack("hello")), ("deflate", LocalServer.Coding.deflate.pack("hello")),
      ("deflate", LocalServer.Coding.bareDeflate.pack("hello")),
      // One raw block each (RFC 7932, section 9.2; RFC 8878, section 3.1.1).
      ("br", [0x0B, 0x02, 0x80] + Array("hello".utf8) + [0x03]),
      ("zstd", [0x28, 0xB5, 0x2F, 0xFD, 0x20, 5, 0x29, 0, 0] + Array("hello".utf8)),
    ])
  func packed(_ coding: String, _ body: [UInt8]) async throws {
    let answer = try await exchange(
      LocalServer.Response(status: 200, headers: ["Content-Encoding": coding], body: [.bytes(body)]))
    #expect(answer.text == "hello")
  }

  @Test("Platform: interim responses are not the answer")
  func interim() async throws {
    let answer = try await exchange(
      LocalServer.Response(
        status: 200, body: [.text("hello")], preface: [.interim(103, headers: ["Link": "</a>"])]))
    #expect(answer.status == 200)
    #expect(answer.text == "hello")
  }

  @Test("Platform: a delegate is given an interim response, and then the answer")
  func interimForDelegate() async throws {
    let server = try await LocalServer.start { _ in
      LocalServer.Response(
        status: 200, body: [.text("hello")], preface: [.interim(103, headers: ["Link": "</a>"])])
    }
    defer { server.stop() }
    let watcher = Watcher()
    let session = URLSession(configuration: Platform.configuration, delegate: watcher, delegateQueue: nil)
    defer { session.finishTasksAndInvalidate() }
    session.dataTask(with: URLRequest(url: server.baseURL, timeoutInterval: 3_600)).resume()
    var statuses: [Int] = []
    for await status in watcher.statuses { statuses.append(status) }
    #expect(statuses == [103, 200])
  }

  private final class Watcher: NSObject, URLSessionDataDelegate {
    let statuses: AsyncStream<Int>
    private let seen: AsyncStream<Int>.Continuation

    override init() {
      (statuses, seen) = AsyncStream.makeStream()
    }

    func urlSession(
      _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
      completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
      seen.yield((response as? HTTPURLResponse)?.statusCode ?? 0)
      completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
      seen.finish()
    }
  }

  @Test("Platform: two requests share a connection")
  func keepAlive() async throws {
    let server = try await LocalServer.start { _ in .text("well") }
    defer { server.stop() }
    let platform = Platform()
    for path in ["/books/42", "/books/43"] { _ = try await platform.send("GET", server, path) }
    #expect(server.requests.map(\.connection) == [1, 1])
  }
}
#endif
