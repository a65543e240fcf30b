import Foundation
import StoicLocalServer

/// The server's process: it says its port, and ends with its standard input.
enum Server {
  static func serve() async {
    var limits = LocalServer.Limits()
    limits.recordedBytes = 0
    do {
      let server = try await LocalServer.start(limits: limits) { request in
        answer(to: request)
      }
      print(server.port)
      fflush(nil)
      while readLine() != nil {}
      server.stop()
    } catch {
      Storm.fail("server: \(error)")
    }
  }

  /// `/quick`, `/slow`, `/drip`, `/large`, `/endless`, `/silent`, `/redirect`, `/challenge`, `/busy`, `/drop`, `/reset`.
  private static func answer(to request: LocalServer.Request) -> LocalServer.Response {
    switch request.path {
    case "/quick": return .text(request.text.isEmpty ? "well" : request.text)
    case "/slow":
      var response = LocalServer.Response.text("well")
      response.delay = .milliseconds(20)
      return response
    case "/drip":
      let drops = (0..<4).flatMap { _ in [LocalServer.Piece.text("w"), .pause(.milliseconds(3))] }
      return LocalServer.Response(status: 200, body: drops, chunked: true)
    case "/large":
      return LocalServer.Response(status: 200, body: [.repeated(0x61, count: 60_000)])
    case "/endless":
      return LocalServer.Response(status: 200, body: [.repeated(0x61, count: 60_000), .hang], chunked: true)
    case "/silent": return .hang
    case "/redirect": return .status(302, headers: ["Location": "/quick"])
    case "/challenge": return .text("who", status: 401, headers: ["WWW-Authenticate": "Basic realm=\"a\""])
    case "/busy": return .status(503)
    case "/drop": return .drop
    case "/reset": return .reset
    default: return .status(404)
    }
  }
}

/// A server's process, from the other side.
final class ServerProcess {
  private let process = Process()
  private let input = Pipe()
  let base: URL

  init() throws {
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
    process.arguments = ["serve"]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    var line: [UInt8] = []
    while line.last != 10, let byte = try output.fileHandleForReading.read(upToCount: 1)?.first {
      line.append(byte)
    }
    let port = String(decoding: line.dropLast(), as: UTF8.self)
    guard let base = URL(string: "http://127.0.0.1:\(port)") else { throw Failure("the server says no port") }
    self.base = base
  }

  func stop() {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }
}

/// Why a storm fails.
struct Failure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
