import Foundation
import StoicHTTP

/// Checks the client against servers that nobody here wrote: `Interop SITE [--transport NAME] [--trusted] [WORD]`.
///
/// SITE is the file that says where the servers are; `--trusted` says that this process's list of authorities has the
/// private one; a word picks the checks that have it in their name.
@main
struct Interop {
  static func main() async throws {
    var arguments = Array(CommandLine.arguments.dropFirst())
    let isTrusted = arguments.remove(flag: "--trusted")
    let name = arguments.remove(option: "--transport") ?? Transport.urlsession.rawValue
    guard let transport = Transport(rawValue: name), let path = arguments.first else {
      let known = Transport.allCases.map(\.rawValue).joined(separator: "|")
      print("Interop SITE [--transport \(known)] [--trusted] [WORD]")
      exit(2)
    }
    let site = try Site(reading: path)
    var report = Report(transport: transport)
    let checks = Check.all.filter { $0.only == nil || $0.only == transport }
    for check in checks where arguments.dropFirst().allSatisfy(check.name.contains) {
      await report.run(check, at: site, isTrusted: isTrusted)
    }
    print(report.closing)
    exit(report.hasFailed ? 1 : 0)
  }
}

extension Array<String> {
  /// Takes a flag out, and says whether it was there.
  fileprivate mutating func remove(flag: String) -> Bool {
    guard let index = firstIndex(of: flag) else { return false }
    remove(at: index)
    return true
  }

  /// Takes an option and its value out; nil where it is not there.
  fileprivate mutating func remove(option: String) -> String? {
    guard let index = firstIndex(of: option), index + 1 < count else { return nil }
    defer { removeSubrange(index...index + 1) }
    return self[index + 1]
  }
}
