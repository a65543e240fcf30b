import Foundation
import Stoic
import StoicHTTP

/// One GET of a URL that the user gives.
struct Fetch {
  /// However the server behaves, it ends by then.
  private static let timeLimit = Duration.seconds(60)

  private let url: URL
  private let console: Console

  init(_ url: URL, on console: Console) {
    self.url = url
    self.console = console
  }

  /// Gets the URL and tells what happens; returns whether the server answered with a success.
  func run() async -> Bool {
    let policy = HTTPPolicy.standard
    let client = HTTPClient(base: url, policy: policy, label: "demo")
    let request = HTTPRequest.get(url)
    console.line("\(request)", .title)
    let timeline = Timeline(on: console, indent: "", attemptTimeout: policy.attemptTimeout)
    let start = ContinuousClock.now
    do {
      let response = try await withEvents(timeline) {
        try await withDeadline(Self.timeLimit) { try await client.send(request) }
      }
      let elapsed = start.duration(to: .now)
      timeline.line("✓ \(response), \(response.shownType), in \(elapsed.text)", .good)
      return true
    } catch {
      timeline.line("✗ \(error)", .bad)
      return false
    }
  }
}

extension HTTPResponse {
  /// The media type for a terminal, which a server must not be able to talk to.
  fileprivate var shownType: String {
    guard let mediaType else { return "no media type" }
    let isShort = mediaType.utf8.count <= 64
    return isShort && mediaType.utf8.allSatisfy { (0x21...0x7E).contains($0) }
      ? mediaType : "a strange media type"
  }
}
