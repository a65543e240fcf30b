import Foundation
import Stoic

/// Tells a call's story line by line while it happens, from the client's own events.
///
/// It is for one call, whose events come one after another.
final class Timeline: EventSink {
  private struct State {
    var attempts = 0
    /// Whether the line of an attempt waits for its end.
    var isAttemptOpen = false
    var failure: String?
  }

  private let console: Console
  private let indent: String
  private let words: EventWords
  private let start = ContinuousClock.now
  private let state = Lock(State())

  /// Makes the timeline of a call that begins now.
  ///
  /// - Parameters:
  ///   - indent: what is in front of every line.
  ///   - attemptTimeout: the client's, since no event names it.
  init(on console: Console, indent: String, attemptTimeout: Duration) {
    self.console = console
    self.indent = indent
    words = EventWords(attemptTimeout: attemptTimeout)
    beginAttempt(1)
  }

  /// The attempts that reached the transport.
  var attempts: Int { state.withLock { $0.attempts } }

  /// The word for the failure of the call; nil while there is none.
  var failure: String? { state.withLock { $0.failure } }

  /// Takes an event of the call; those that tell a person nothing new are left out.
  func record(_ event: Event) {
    switch event.name {
    case "http.request":
      state.withLock { $0.attempts += 1 }
      endAttempt(words.attempt(event))
    case "http.redirect":
      console.write("\(words.redirect(event)) … ")
    case "retry.scheduled":
      line("wait \(event["delay"] ?? "a while"), then try again: \(words.cause(event))")
    case "http.retry":
      beginAttempt(attempts + 1)
    case "retry.exhausted":
      line("no other attempt: that was the last one allowed")
    case "retry.deadline_skip":
      line("no other attempt: the wait before it would outlast the deadline")
    case "http.failed":
      state.withLock { $0.failure = event["error"] }
      endAttempt("not sent")
    default:
      break
    }
  }

  /// Writes a line with the time since the call began.
  func line(_ text: String, _ tone: Console.Tone? = nil) {
    time()
    console.line(text, tone)
  }

  private func beginAttempt(_ number: Int) {
    state.withLock { $0.isAttemptOpen = true }
    time()
    console.write("attempt \(number) … ")
  }

  private func endAttempt(_ text: String) {
    let wasOpen = state.withLock { state in
      defer { state.isAttemptOpen = false }
      return state.isAttemptOpen
    }
    if wasOpen { console.line(text) }
  }

  private func time() {
    let seconds = String(format: "%5.2fs", start.duration(to: .now).inSeconds)
    console.write("\(indent)\(seconds)  ", .quiet)
  }
}
