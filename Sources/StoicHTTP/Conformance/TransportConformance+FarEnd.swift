import Foundation
import Stoic

extension TransportConformance {
  /// What a server does in a check: the script behind a real one, or behind a transport in memory.
  ///
  /// Have a server call ``answer(_:)`` for each request that it has read, and send what it returns.
  public final class FarEnd: Sendable {
    private struct State {
      var stations: [Int: Station] = [:]
      var number = 0
    }

    private let state = Lock(State())

    /// Makes a far end.
    ///
    /// It may serve several checks, one after another or at the same time.
    public init() {}

    /// What to answer a request.
    ///
    /// Does not return for as long as the answer is to be silence. It has to be called in a task that is cancelled when the
    /// client leaves: so the check sees that an exchange has been stopped. What it returns then is of no use.
    ///
    /// A request that is no part of a check is answered 404.
    public func answer(_ request: Arrival) async -> Answer {
      guard let number = Self.number(of: request.target),
        let station = state.withLock({ $0.stations[number] })
      else { return .response(Response(404)) }
      return await station.answer(request)
    }

    /// Opens a station of its own for one case of a check.
    func open(_ plan: @escaping Station.Plan) -> Station {
      state.withLock { state in
        state.number += 1
        let station = Station(state.number, plan)
        state.stations[state.number] = station
        return station
      }
    }

    /// Closes a station; requests that wait there are let go.
    func close(_ station: Station) {
      station.release()
      state.withLock { $0.stations[station.number] = nil }
    }

    private static let folder = "stoic-conformance"

    /// The path of a station below a base's path.
    static func path(of station: Station) -> String { "/\(folder)/\(station.number)" }

    private static func number(of target: String) -> Int? {
      guard let mark = target.range(of: "/\(folder)/") else { return nil }
      return Int(target[mark.upperBound...].prefix { $0.isASCIIDigit })
    }
  }
}

/// The place at the far end that the requests of one case go to.
final class Station: Sendable {
  typealias Arrival = TransportConformance.Arrival
  typealias Answer = TransportConformance.Answer
  /// What to answer, by the request and by how many came before; nil for silence.
  typealias Plan = @Sendable (Arrival, Int) async throws -> Answer?

  let number: Int
  /// Set with the first request.
  let arrived = Latch<Void>()
  /// Set when the client of a request that is not answered has left.
  let departed = Latch<Void>()
  private let released = Latch<Void>()
  private let seen = Lock<[Arrival]>([])
  private let plan: Plan

  init(_ number: Int, _ plan: @escaping Plan) {
    self.number = number
    self.plan = plan
  }

  /// The requests so far, in order.
  var arrivals: [Arrival] { seen.withLock { $0 } }

  /// Lets go of those who get no answer.
  func release() { released.set(()) }

  func answer(_ arrival: Arrival) async -> Answer {
    let count = seen.withLock { seen in
      seen.append(arrival)
      return seen.count - 1
    }
    arrived.set(())
    do {
      if let answer = try await plan(arrival, count) { return answer }
      try await released.value()
    } catch { departed.set(()) }
    return .dropped
  }
}

extension Character {
  fileprivate var isASCIIDigit: Bool { "0" <= self && self <= "9" && isASCII }
}
