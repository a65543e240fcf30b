#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A set of descriptors and what became ready on them.
struct Poller {
  struct Interest: OptionSet {
    let rawValue: Int16

    static let input = Interest(rawValue: Int16(POLLIN))
    static let output = Interest(rawValue: Int16(POLLOUT))
    #if canImport(Darwin)
    /// Only the full end of a connection is told apart from input here.
    static let hangUp: Interest = []
    #else
    /// The client's end without reading what came before it: POLLRDHUP, which the module map hides.
    static let hangUp = Interest(rawValue: Int16(bitPattern: UInt16(0x2000)))
    #endif
  }

  /// The bound on every pause, so that adding it to an instant cannot overflow.
  static let longestWait = Duration.seconds(365 * 24 * 3600)

  private var entries: [pollfd] = []
  private var tags: [Int] = []

  var count: Int { entries.count }

  mutating func removeAll() {
    entries.removeAll(keepingCapacity: true)
    tags.removeAll(keepingCapacity: true)
  }

  mutating func watch(_ descriptor: Descriptor, for interest: Interest, tag: Int = 0) {
    entries.append(pollfd(fd: descriptor.number, events: interest.rawValue, revents: 0))
    tags.append(tag)
  }

  /// Sleeps until one is ready or the instant has come.
  mutating func poll(until instant: ContinuousClock.Instant?, now: ContinuousClock.Instant) {
    var milliseconds: Int32 = -1
    if let instant {
      let left = min(max(instant - now, .zero), .seconds(3600)).components
      // Rounded up: waking early would only spin until the instant.
      milliseconds = Int32(
        left.seconds * 1000 + (left.attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }
    let count = nfds_t(entries.count)
    #if canImport(Darwin)
    let ready = Darwin.poll(&entries, count, milliseconds)
    #elseif canImport(Glibc)
    let ready = Glibc.poll(&entries, count, milliseconds)
    #elseif canImport(Musl)
    let ready = Musl.poll(&entries, count, milliseconds)
    #endif
    if ready < 0 {
      for index in entries.indices { entries[index].revents = 0 }
    }
  }

  func tag(_ index: Int) -> Int { tags[index] }

  func isReady(_ index: Int) -> Bool { entries[index].revents != 0 }

  func canWrite(_ index: Int) -> Bool { entries[index].revents & Int16(POLLOUT) != 0 }

  /// Whether there is input, or an end or error that reading will tell.
  func canRead(_ index: Int) -> Bool { entries[index].revents & ~Int16(POLLOUT) != 0 }
}
