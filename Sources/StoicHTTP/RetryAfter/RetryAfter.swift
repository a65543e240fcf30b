package import Foundation
import Stoic

/// The `Retry-After` field: seconds, or an HTTP-date (RFC 9110, section 10.2.3).
package enum RetryAfter {
  /// The wait that a response asks for; nil where it asks for none that can be understood.
  ///
  /// - Seconds are digits only, white space around them aside; too many digits saturate.
  /// - A date is measured from the response's own `Date`, since the client's clock may be wrong, or else from the wall clock; one
  ///   that has passed asks for no time.
  /// - Of several fields, or several values that something on the way joined by commas, the longest wait counts: it satisfies
  ///   them all. A field of which a part is neither form is ignored as a whole.
  ///
  /// - Parameter wallClock: the time of day; only called for dates.
  package static func wait(in headers: HTTPHeaders, wallClock: () -> Date) -> Duration? {
    var longest: Duration?
    for field in headers where field.name.isSameFieldName(as: "Retry-After") {
      guard let wait = wait(field.value, in: headers, wallClock) else { continue }
      longest = max(wait, longest ?? .zero)
    }
    return longest
  }

  private static func wait(_ value: String, in headers: HTTPHeaders, _ wallClock: () -> Date) -> Duration? {
    var parts = value.split(separator: ",", omittingEmptySubsequences: false)[...]
    // A date that has passed asks for less.
    var longest = Duration.zero
    while let part = parts.popFirst() {
      // The date of two of the three forms has a comma of its own.
      let value = part.trimmingBlanks
      if let wait = seconds(value) ?? until(value, headers, wallClock) {
        longest = max(longest, wait)
      } else if let rest = parts.popFirst(),
        let wait = until("\(part),\(rest)".trimmingBlanks, headers, wallClock)
      {
        longest = max(longest, wait)
      } else {
        return nil
      }
    }
    return longest
  }

  private static func seconds(_ text: Substring) -> Duration? {
    guard !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
    // Only too many digits can make the conversion fail here.
    return .seconds(min(Int64(text) ?? .max, Duration.longest.components.seconds))
  }

  private static func until(
    _ text: some StringProtocol, _ headers: HTTPHeaders, _ wallClock: () -> Date
  ) -> Duration? {
    guard let date = HTTPDate(text, now: { Int(now(headers, wallClock).inSeconds) }) else { return nil }
    return .seconds(date.seconds) - now(headers, wallClock)
  }

  /// The time since 1970 by the response's own clock where it tells one, else by the wall clock.
  static func now(_ headers: HTTPHeaders, _ wallClock: () -> Date) -> Duration {
    let own = Set(headers.values(for: "Date").map(\.trimmingBlanks))
    if own.count == 1, let text = own.first,
      let date = HTTPDate(text, now: { Int(since1970(wallClock()).inSeconds) })
    {
      return .seconds(date.seconds)
    }
    return since1970(wallClock())
  }

  /// A wall clock's time; one that no date of HTTP reaches is brought near, and no number at all is 1970.
  private static func since1970(_ date: Date) -> Duration {
    let seconds = date.timeIntervalSince1970
    return seconds.isNaN ? .zero : .seconds(min(max(seconds, -1e12), 1e12))
  }
}
