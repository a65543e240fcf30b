/// Marks the work inside an attempt of a retry, so that a retry inside it can tell.
package struct AttemptContext: Sendable {
  /// The number of the attempt, from 1.
  package let number: Int

  package init(number: Int) {
    self.number = number
  }
}

/// One try of a retried body.
public struct Attempt: Sendable, Hashable {
  /// Which try it is, from 1.
  public let number: Int
}
