import CAllocations
import Foundation

/// Counts what the program asks of the system's allocator.
enum Allocations {
  /// Whether they can be counted here: on Linux with glibc, and without a sanitizer.
  static var canBeCounted: Bool { stoic_can_count_allocations() }

  /// How many allocations a body makes, with those of the work that it leaves to other threads.
  static func count(_ body: () async throws -> Void) async rethrows -> Int {
    settle()
    stoic_start_counting_allocations()
    defer { stoic_stop_counting_allocations() }
    try await body()
    settle()
    return stoic_counted_allocations()
  }

  /// Counts a known number of class instances, since a counter that is not called, or is called twice, looks like a good
  /// or a bad figure.
  static func check() async throws {
    final class Instance {
      let number: Int
      init(_ number: Int) { self.number = number }
    }
    let expected = 1_000
    var kept: [Instance] = []
    kept.reserveCapacity(expected)
    let counted = await count { for number in 0..<expected { kept.append(Instance(number)) } }
    keep(kept)
    let none = await count {}
    guard counted == expected, none == 0 else {
      throw Surprise(what: "\(expected) instances were counted as \(counted) allocations, none as \(none)")
    }
  }

  /// Lets other threads finish what they have: waits until nothing has been allocated for ten milliseconds.
  private static func settle() {
    var last: Int
    repeat {
      last = stoic_counted_allocations()
      usleep(10_000)
    } while stoic_counted_allocations() != last
  }
}
