import Foundation
import Testing

/// The checkout that these tests were built from.
enum Repository {
  static let root: URL = {
    var folder = URL(filePath: #filePath).deletingLastPathComponent()
    while folder.path() != "/", !exists(folder.appending(path: "Package.swift")) {
      folder.deleteLastPathComponent()
    }
    return folder
  }()

  /// Every Swift file under `Sources` and `Tests`.
  static let swift: [SourceFile] = (paths(under: "Sources") + paths(under: "Tests"))
    .filter { $0.hasSuffix(".swift") }.map { SourceFile(path: $0, text: text(of: $0)) }

  static var sources: [SourceFile] { swift.filter { $0.path.hasPrefix("Sources/") } }
  static var tests: [SourceFile] { swift.filter { $0.path.hasPrefix("Tests/") } }

  /// The pages for people: README, AGENTS, the design contracts and the articles.
  static var pages: [Page] {
    let articles = paths(under: "Sources").filter { $0.contains(".docc/") }
    let all = ["README.md", "AGENTS.md"] + paths(under: "design") + articles
    return all.filter { $0.hasSuffix(".md") && exists(root.appending(path: $0)) }.map {
      Page(path: $0, text: text(of: $0))
    }
  }

  /// The names at the top level, as git sees them; as the disk has them where there is no git.
  static var topLevel: Set<String> {
    get throws {
      let names = try listedByGit() ?? FileManager.default.contentsOfDirectory(atPath: root.path())
      return Set(names.compactMap { $0.split(separator: "/").first.map(String.init) })
    }
  }

  static func text(of path: String) -> String {
    do {
      return try String(contentsOf: root.appending(path: path), encoding: .utf8)
    } catch {
      Issue.record("\(path) cannot be read: \(error)")
      return ""
    }
  }

  private static func paths(under folder: String) -> [String] {
    let names = FileManager.default.enumerator(atPath: root.appending(path: folder).path())
    return (names?.compactMap { $0 as? String } ?? []).map { "\(folder)/\($0)" }.sorted()
  }

  private static func exists(_ url: URL) -> Bool { FileManager.default.fileExists(atPath: url.path()) }

  private static func listedByGit() throws -> [String]? {
    guard exists(root.appending(path: ".git")) else { return nil }
    let git = Process()
    let output = Pipe()
    git.executableURL = URL(filePath: "/usr/bin/env")
    git.arguments = [
      "git", "-C", root.path(), "ls-files", "--cached", "--others", "--exclude-standard", "-z",
    ]
    git.standardOutput = output
    git.standardError = FileHandle.nullDevice
    try git.run()
    let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
    git.waitUntilExit()
    guard git.terminationStatus == 0 else { return nil }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\0").map(String.init)
  }
}
