/// The most that a call under a policy can cost, computed from the policy's values alone.
///
/// No call exceeds it, and where its budgets pay for all attempts a call can reach it; with a hedge at a quantile the second
/// attempt is taken to begin as late as it can, so that the time may be above what is reached. What the values do not say is
/// left out: a body or transport that goes on after it was cancelled, requests that a transport repeats on its own, and, in a
/// policy without HTTP, waits that an error asks for.
public struct PolicyBound: Sendable, Hashable {
  /// The retries that a budget pays for in a window in which no call succeeds.
  public struct Floor: Sendable, Hashable {
    /// How many; at least 0.
    public let retries: Int
    /// How long the window is.
    public let window: Duration

    package init(retries: Int, window: Duration) {
      self.retries = retries
      self.window = window
    }
  }

  /// The most attempts that one call makes.
  public let attempts: Int
  /// The most requests that one call puts on the wire: over HTTP, each attempt with all redirects that it may follow.
  public let exchanges: Int
  /// The longest time that one call takes; nil where nothing in the policy bounds it.
  public let elapsed: Duration?
  /// What is left of the budget when every call fails; nil where no budget bounds the retries.
  public let floor: Floor?

  package init(attempts: Int, exchanges: Int? = nil, elapsed: Duration?, floor: Floor? = nil) {
    self.attempts = attempts
    self.exchanges = exchanges ?? attempts
    self.elapsed = elapsed.flatMap { $0 < .longest ? $0 : nil }
    self.floor = floor
  }

  /// Work that is run once and takes as long as it likes.
  package static let once = PolicyBound(attempts: 1, elapsed: nil)
}

extension PolicyBound {
  /// The most attempts per call when every call fails, at whatever rate: that of one call on its own.
  public var load: Double { Double(floor?.retries == 0 ? min(1, attempts) : attempts) }

  /// The most attempts per call when every call fails, over a long time at a steady rate.
  ///
  /// A budget's floor is so many retries in each of its windows, whatever the number of calls: the more calls, the less
  /// each one adds (Google's SRE book, chapter 22).
  ///
  /// - Parameter rate: the calls that begin in a second, of all that share the budget; not a number, zero and less are
  ///   taken for one call on its own.
  public func load(callsPerSecond rate: Double) -> Double {
    guard let floor, attempts > 0, rate > 0 else { return load }
    return min(load, 1 + Double(floor.retries) / (rate * floor.effectiveWindow.inSeconds))
  }

  /// The most attempts of a number of calls that all fail, and whose retries are paid for and made within a time.
  ///
  /// - Parameters:
  ///   - calls: how many calls, of those that share one budget; where each host has its own, those to one host. Negative counts as none.
  ///   - span: from the first failure that is tried again, when the budget pays for that, to the last retry: longer by the waits
  ///     than from the first retry. Negative counts as zero.
  public func attempts(ofCalls calls: Int, within span: Duration) -> Int {
    let calls = max(0, calls)
    guard attempts > 0 else { return 0 }
    let retries = calls.saturatingMultiply(by: attempts - 1)
    guard let floor else { return calls.saturatingAdd(retries) }
    let windows = max(.zero, span.clamped).attoseconds / max(1, floor.effectiveWindow.attoseconds) + 1
    return calls.saturatingAdd(min(retries, floor.retries.saturatingMultiply(by: Int(clamping: windows))))
  }
}

extension PolicyBound.Floor {
  /// A retry leaves the window up to a hundredth of it before its time.
  fileprivate var effectiveWindow: Duration { max(.nanoseconds(1), window - window / 100) }
}

extension PolicyBound: CustomStringConvertible {
  /// The bound on one line.
  public var description: String {
    let time = elapsed.map { "at most \($0.text)" } ?? "no bound on time"
    let wire = exchanges == attempts ? "" : ", \(exchanges) requests with redirects"
    let budget = floor.map { ", \($0.retries) retries in \($0.window.text) when all fail" } ?? ""
    return "at most \(attempts) attempt\(attempts == 1 ? "" : "s")\(wire), \(time)\(budget)"
  }
}

extension Int {
  /// The sum, or the nearest number; never traps.
  package func saturatingAdd(_ other: Int) -> Int {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other > 0 ? .max : .min) : sum
  }

  /// The product, or the nearest number; never traps.
  package func saturatingMultiply(by other: Int) -> Int {
    let (product, overflow) = multipliedReportingOverflow(by: other)
    return overflow ? ((self < 0) == (other < 0) ? .max : .min) : product
  }
}

extension Duration {
  /// This span so many times, brought within ``longest``; never traps.
  package func saturatingMultiply(by count: Int) -> Duration {
    let (product, overflow) = clamped.attoseconds.multipliedReportingOverflow(by: Int128(max(0, count)))
    return overflow ? .longest : Duration(attoseconds: product).clamped
  }
}
