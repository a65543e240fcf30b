import Foundation
import Stoic

/// A request that arrived, taken apart once for all routes.
struct ScriptedArrival {
  let request: TransportRequest
  let instant: AmbientClock.Instant
  /// When the request's timeout is over; nil without one.
  let end: AmbientClock.Instant?
  let origin: Origin?
  let path: String
  let query: String?

  init(_ request: TransportRequest, at instant: AmbientClock.Instant) {
    self.request = request
    self.instant = instant
    end = request.timeout.map { instant.advanced(by: $0) }
    if let location = request.location {
      (origin, path, query) = (location.origin, location.path, location.query)
      return
    }
    let reference = URLReference(request.url.absoluteString)
    origin = reference.flatMap { Origin($0) }
    path = reference.map { $0.path.isEmpty ? "/" : $0.path } ?? ""
    query = reference?.query
  }

  /// Where it went, for people to read: without user info and query.
  var place: String { (origin?.text ?? "") + path }

  /// The items of the query, escapes undone; a plus sign is a plus sign.
  var queryItems: [(name: [UInt8], value: [UInt8]?)] {
    (query ?? "").split(separator: "&").map { item in
      let name = item.prefix { $0 != "=" }
      let value = name.endIndex == item.endIndex ? nil : item[name.endIndex...].dropFirst()
      return (PercentEncoding.decoded(name), value.map { PercentEncoding.decoded($0) })
    }
  }
}
