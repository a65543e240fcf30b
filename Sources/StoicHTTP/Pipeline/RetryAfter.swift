import Stoic

/// The `Retry-After` field (RFC 9110, section 10.2.3), its form in seconds.
package enum RetryAfter {
  /// The wait that a response asks for; nil where it asks for none that can be understood.
  ///
  /// Only digits count, white space around them aside. Too many digits saturate. Of several fields, or several values
  /// that something on the way joined by commas, the longest wait counts: it satisfies them all.
  package static func wait(in headers: HTTPHeaders) -> Duration? {
    headers.values(for: "Retry-After").compactMap(seconds).max().map { .seconds($0) }
  }

  private static func seconds(_ value: String) -> Int64? {
    let values = value.split(separator: ",", omittingEmptySubsequences: false).map(\.trimmingBlanks)
    guard values.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { (48...57).contains($0) } }) else {
      return nil
    }
    // Only too many digits can make the conversion fail here.
    return values.map { min(Int64($0) ?? .max, longest) }.max()
  }

  private static let longest = Duration.longest.components.seconds
}
