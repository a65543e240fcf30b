import Stoic

/// The locations of the paths that a client asked for lately: most clients ask for the same few again and again.
///
/// Holds paths without a query, which may carry secrets, and a bounded number of them.
final class LocationCache: Sendable {
  private static let limit = 64
  private static let longest = 256

  private let locations = Lock<[String: Location]>([:])

  func location(of path: String) -> Location? {
    locations.withLock { locations in
      guard let place = locations.index(forKey: path) else { return nil }
      // Equal for Unicode is not the same: a Kelvin sign is a K. Those kept are ASCII, and what else is equal to one is longer.
      return locations[place].key.utf8.count == path.utf8.count ? locations[place].value : nil
    }
  }

  func keep(_ location: Location, of path: String) {
    guard path.utf8.count <= Self.longest else { return }
    locations.withLock { locations in
      // Whatever is asked for often comes back by itself.
      if locations.count == Self.limit { locations = [:] }
      locations[path] = location
    }
  }
}
