#if os(Linux)
import Foundation
import StoicLocalServer

/// This program again as a server on loopback, which answers every request with 98 bytes until its input ends.
struct ServerProcess {
  /// The argument that makes it one.
  static let argument = "--loopback-server"

  let url: URL
  private let process = Process()
  private let input = Pipe()

  init() throws {
    let output = Pipe()
    process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments = [Self.argument]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    guard let url = URL(string: text.trimmingCharacters(in: .whitespacesAndNewlines)) else {
      throw Surprise(what: "the server said \(text)")
    }
    self.url = url
  }

  func end() {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  /// What the server does.
  static func serve() throws {
    let body = String(repeating: "a", count: 98)
    let server = try waiting {
      try await LocalServer.start(limits: LocalServer.Limits()) { _ in .text(body) }
    }
    FileHandle.standardOutput.write(Data("\(server.baseURL)/\n".utf8))
    // Ends with whoever started it.
    _ = FileHandle.standardInput.readDataToEndOfFile()
    server.stop()
  }
}
#endif
