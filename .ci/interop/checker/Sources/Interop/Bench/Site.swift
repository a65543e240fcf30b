import Foundation
import StoicHTTP

/// Where the servers are, and what of them is missing.
struct Site: Sendable {
  /// A server, by the log that it keeps.
  enum Server: String, CaseIterable, Sendable {
    case nginx, httpbin, http2, raw

    var log: String { self == .nginx ? "arrivals.log" : "\(rawValue).log" }
  }

  let directory: URL
  /// What is missing, and why.
  let missing: [String: String]
  private let control: String
  private let ports: [String: Int]

  /// - Throws: where the file is not as `open` writes it.
  init(reading path: String) throws {
    let json = try JSON(parsing: try Data(contentsOf: URL(filePath: path)))
    guard let directory = json["directory"]?.string, let control = json["control"]?.string else {
      throw Mismatch(description: "\(path) tells of no site")
    }
    self.directory = URL(filePath: directory)
    self.control = control
    let members = { (name: String) in json[name]?.object.map(Array.init) ?? [] }
    ports = Dictionary(
      uniqueKeysWithValues: members("ports").compactMap { name, port in port.int.map { (name, $0) } })
    missing = Dictionary(
      uniqueKeysWithValues: members("missing").compactMap { name, reason in reason.string.map { (name, $0) } }
    )
  }

  /// The address of a server, by the name of its port.
  func url(_ port: String, scheme: String = "http", host: String = "127.0.0.1", path: String = "") -> URL {
    guard let number = ports[port], let url = URL(string: "\(scheme)://\(host):\(number)\(path)") else {
      preconditionFailure("the site has no port called \(port)")
    }
    return url
  }

  var authority: URL { directory.appending(path: "tls/authority.pem") }

  /// The bytes of a file that nginx serves.
  func file(_ path: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: directory.appending(path: "files/\(path)")))
  }

  /// Starts, stops or reloads nginx; returns when it is done.
  func nginx(_ command: String) async throws {
    let command = Command([control, directory.path(percentEncoded: false), command])
    let status = await withCheckedContinuation { continuation in
      Thread.detachNewThread { continuation.resume(returning: command.run()) }
    }
    guard status == 0 else { throw Mismatch(description: "\(command) ended with \(status)") }
  }
}
