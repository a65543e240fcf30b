import Foundation
import StoicHTTP

/// What became of the checks; it prints each as it ends.
struct Report {
  let transport: Transport
  private var passed = 0
  private var failed = 0
  private var limits = 0
  /// The reasons, in order, each with the number of checks that it left out.
  private var skipped: [(reason: String, count: Int)] = []
  /// A check that takes longer has failed.
  private static let patience = Duration.seconds(30)

  init(transport: Transport) { self.transport = transport }

  var hasFailed: Bool { failed > 0 }

  /// The line that says it all.
  var closing: String {
    var parts = ["\(passed) checks passed"]
    if failed > 0 { parts.append("\(failed) FAILED") }
    if limits > 0 { parts.append("\(limits) known limits of \(transport.rawValue)") }
    parts += skipped.map { "\($0.count) skipped: \($0.reason)" }
    return "interop: " + parts.joined(separator: ", ")
  }

  mutating func run(_ check: Check, at site: Site, isTrusted: Bool) async {
    if let reason = reason(toSkip: check, at: site, isTrusted: isTrusted) {
      say("skipped \(check.name): \(reason)")
      skip(reason)
      return
    }
    let number = passed + failed + limits
    let probe = Probe(site: site, transport: transport, agent: "interop-\(number)")
    let clock = ContinuousClock()
    let began = clock.now
    var time: String {
      let tenths = Int(began.duration(to: clock.now) / .milliseconds(100))
      return "\(tenths / 10).\(tenths % 10) s"
    }
    do {
      try await withTimeout(Self.patience) { try await check.body(probe) }
      if probe.limits.isEmpty {
        passed += 1
        say("passed  \(time)  \(check.name)")
      } else {
        limits += 1
        say("limit   \(time)  \(check.name): \(probe.limits.joined(separator: "; "))")
      }
    } catch {
      failed += 1
      say("FAILED  \(time)  \(check.name): \(error)")
    }
  }

  /// Prints at once, also into a file: a run that is ended shows how far it came.
  private func say(_ line: String) {
    print(line)
    fflush(nil)
  }

  private mutating func skip(_ reason: String) {
    if let index = skipped.firstIndex(where: { $0.reason == reason }) {
      skipped[index].count += 1
    } else {
      skipped.append((reason, 1))
    }
  }

  private func reason(toSkip check: Check, at site: Site, isTrusted: Bool) -> String? {
    for need in check.needs {
      if let reason = site.missing[need.rawValue] { return "no \(need.rawValue) because \(reason)" }
      if need == .list, !isTrusted { return "the machine's list of authorities could not be replaced" }
      if need == .trust, !isTrusted, !transport.takesAuthority {
        return
          "no private authority because \(transport.rawValue) takes none and the machine's list could not be replaced"
      }
    }
    return nil
  }
}
