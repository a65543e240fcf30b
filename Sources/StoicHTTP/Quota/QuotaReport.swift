package import Foundation
import Stoic

/// What a response says about the quotas of its server.
///
/// Three forms are read, the first that says anything counts:
///
/// - `RateLimit: "name";r=50;t=30` with `RateLimit-Policy: "name";q=100;w=60` (draft-ietf-httpapi-ratelimit-headers, 08 to
///   11), and the dictionary of the seventh draft, `RateLimit: limit=100, remaining=50, reset=30`
/// - `RateLimit-Limit`, `RateLimit-Remaining`, `RateLimit-Reset`, of the drafts before
/// - the same three names with `X-` in front, where the policy says so
///
/// What is no number of the right kind, or is negative, is not there. A reset of 1,000,000,000 or more in the older fields is a
/// moment, in seconds since 1970, as some servers send it; no quota lasts 31 years.
package struct QuotaReport: Hashable, Sendable {
  /// One quota: what is left of it, and when it is whole again.
  package struct Entry: Hashable, Sendable {
    package var name: String
    /// How many requests are left.
    package var remaining: Int
    /// The time until the quota is whole again; nil where it is not told.
    package var reset: Duration?
    /// How many requests the whole quota has; nil where it is not told.
    package var limit: Int?
    /// How long a window of the quota is; nil where it is not told.
    package var window: Duration?

    package init(
      _ name: String, remaining: Int, reset: Duration? = nil, limit: Int? = nil, window: Duration? = nil
    ) {
      self.name = name
      self.remaining = remaining
      self.reset = reset
      self.limit = limit
      self.window = window
    }
  }

  package let entries: [Entry]

  /// Reads a response's fields.
  ///
  /// - Parameters:
  ///   - readsX: whether fields with `X-` in front are read.
  ///   - wallClock: the time of day; only called for a reset that is a moment.
  package init(_ headers: HTTPHeaders, readsX: Bool, wallClock: () -> Date) {
    let policies = Self.field("RateLimit-Policy", headers)
    var entries = Self.field("RateLimit", headers).map { Self.entries($0, policies) } ?? []
    if entries.isEmpty { entries = Self.entries("", headers, policies, wallClock) }
    if entries.isEmpty, readsX { entries = Self.entries("X-", headers, nil, wallClock) }
    self.entries = entries
  }

  private static func field(_ name: String, _ headers: HTTPHeaders) -> StructuredField? {
    let values = headers.values(for: name)
    return values.isEmpty ? nil : StructuredField(values.joined(separator: ", "))
  }

  /// The quotas of the field `RateLimit`.
  private static func entries(_ field: StructuredField, _ policies: StructuredField?) -> [Entry] {
    if field.members.contains(where: { $0.key != nil }) { return dictionary(field) }
    let entries: [Entry] = field.members.compactMap { member in
      guard case .string(let name) = member.value, let remaining = member.number("r") else { return nil }
      var entry = Entry(name, remaining: remaining, reset: member.number("t").map { .seconds($0) })
      let named = policies?.members.filter { $0.value == .string(name) } ?? []
      // A quota of bytes, or of requests at once, is none of requests.
      let ours = named.filter { $0.parameters["qu"].map { $0 == .string("requests") } ?? true }
      if !named.isEmpty, ours.isEmpty { return nil }
      if let policy = ours.min(by: isStricter) {
        entry.limit = policy.number("q")
        entry.window = policy.number("w").map { .seconds($0) }
      }
      return entry
    }
    return strictest(of: entries)
  }

  /// Of the numbers of each name those with the fewest requests left, and of these with the longest time.
  ///
  /// A server may tell several partitions of one quota, and which is the client's it does not know. Numbers of two of them
  /// mixed are none's, so that each stays whole.
  private static func strictest(of entries: [Entry]) -> [Entry] {
    var kept: [Entry] = []
    var places: [String: Int] = [:]
    for entry in entries {
      guard let index = places[entry.name] else {
        places[entry.name] = kept.count
        kept.append(entry)
        continue
      }
      let other = kept[index]
      let isStricter =
        entry.remaining == other.remaining
        ? entry.reset ?? .zero > other.reset ?? .zero : entry.remaining < other.remaining
      if isStricter { kept[index] = entry }
    }
    return kept
  }

  /// Whether a policy lets fewer requests through than another: fewer in a window, or as many in a longer one.
  private static func isStricter(_ one: StructuredField.Member, _ other: StructuredField.Member) -> Bool {
    let (left, right) = (one.number("q") ?? .max, other.number("q") ?? .max)
    return left == right ? one.number("w") ?? 0 > other.number("w") ?? 0 : left < right
  }

  private static func dictionary(_ field: StructuredField) -> [Entry] {
    func number(_ key: String) -> Int? { field.members.last { $0.key == key }?.value.count }
    guard let remaining = number("remaining") else { return [] }
    return [
      Entry(
        "", remaining: remaining, reset: number("reset").map { .seconds($0) }, limit: number("limit"))
    ]
  }

  /// The quota of the three older fields.
  private static func entries(
    _ prefix: String, _ headers: HTTPHeaders, _ policies: StructuredField?, _ wallClock: () -> Date
  ) -> [Entry] {
    let limits = field(prefix + "RateLimit-Limit", headers)
    let limit = limits?.members.first?.value.count
    guard let remaining = counts(prefix + "RateLimit-Remaining", headers).min() else { return [] }
    // The window stands with the limit, or in the field of policies.
    let window = ((limits?.members.dropFirst()).map(Array.init) ?? []) + (policies?.members ?? [])
    return [
      Entry(
        "", remaining: remaining,
        reset: counts(prefix + "RateLimit-Reset", headers).max().map { reset($0, headers, wallClock) },
        limit: limit,
        window: window.first { $0.value.count == limit && limit != nil }?.number("w").map { .seconds($0) })
    ]
  }

  /// The numbers of fields that have one each; none where one of them has something else.
  private static func counts(_ name: String, _ headers: HTTPHeaders) -> [Int] {
    let all = headers.values(for: name).map { value -> Int? in
      guard let field = StructuredField(value), field.members.count == 1 else { return nil }
      return field.members.first?.value.count
    }
    return all.contains(nil) ? [] : all.compactMap(\.self)
  }

  private static func reset(_ number: Int, _ headers: HTTPHeaders, _ wallClock: () -> Date) -> Duration {
    guard number >= 1_000_000_000 else { return .seconds(number) }
    return max(.zero, .seconds(number) - RetryAfter.now(headers, wallClock))
  }
}

extension StructuredField.Value {
  /// The number, where it is one that counts something.
  fileprivate var count: Int? {
    guard case .integer(let number) = self, number >= 0 else { return nil }
    return number
  }
}

extension StructuredField.Member {
  fileprivate func number(_ parameter: String) -> Int? { parameters[parameter]?.count }
}
