import Foundation
import StoicHTTP

/// A model that a schema describes is used off the main actor too, so it says so.
package nonisolated struct Account: Sendable {
  package let id: Int
  package let balance: Double

  package static let schema: Schema<Account> = .object(
    Account.init, .field("id", \.id, .int), .field("balance", \.balance, .double))
}

/// A view model of an app whose code runs on the main actor unless it says otherwise.
package final class Screen {
  private let api: HTTPClient
  package private(set) var balance: Double?
  package private(set) var attempts = 0

  package init(api: HTTPClient) { self.api = api }

  /// Neither closure is sent anywhere: both change the screen's state.
  package func load() async throws {
    try await withDeadline(.seconds(5)) {
      attempts += 1
      balance = try await api.send(.get("/account"), decoding: Account.schema).balance
    }
    try await retry(RetrySchedule(maxAttempts: 2)) { attempt in attempts += attempt.number }
  }
}
