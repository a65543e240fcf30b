public import Foundation
import Stoic

extension ScriptedTransport {
  /// What goes wrong between a client and a script: a mix of faults, each drawn per request.
  ///
  /// ```swift
  /// transport.faults = .init(failure: 0.1, status503: 0.05, hang: 0.01, delay: .zero ... .seconds(2))
  /// ```
  ///
  /// All draws come from `Ambient.random`: inside `simulate` they are choices of the run, so that its seed repeats them; outside
  /// of one `withRandom(.seeded(1))` does. A run whose choices are all zero meets no fault.
  ///
  /// Rates are shares of all requests within 0...1; a NaN and less than 0 count as 0, more than 1 as 1. Faults exclude each
  /// other: where the rates add up to more than 1, they are served in the order failure, status503, hang.
  public struct Faults: Sendable, Hashable {
    /// The share of requests that fail with one of ``codes``.
    public var failure: Double { didSet { failure = Self.rate(failure) } }
    /// The share of requests that something in front of the server answers with 503.
    public var status503: Double { didSet { status503 = Self.rate(status503) } }
    /// The share of requests that never get an answer.
    public var hang: Double { didSet { hang = Self.rate(hang) } }
    /// How failures fail, each as often as the others; none is `networkConnectionLost`.
    ///
    /// Where the server may have acted the script's step is used up and its answer lost; where it cannot have, such
    /// as with `cannotConnectToHost`, the step is left for the next request.
    public var codes: [URLError.Code]
    /// By how much an answer is late, on the ambient clock, each time within the range as likely as the others.
    ///
    /// It comes on top of the step's own delay, and delays faults as well. Negative times count as zero.
    public var delay: ClosedRange<Duration>

    /// Makes a mix of faults; what is not given does not go wrong.
    public init(
      failure: Double = 0, codes: [URLError.Code] = [.networkConnectionLost], status503: Double = 0,
      hang: Double = 0, delay: ClosedRange<Duration> = .zero ... .zero
    ) {
      self.failure = Self.rate(failure)
      self.codes = codes
      self.status503 = Self.rate(status503)
      self.hang = Self.rate(hang)
      self.delay = delay
    }

    /// No faults.
    public static let none = Faults()

    private static func rate(_ rate: Double) -> Double { rate > 0 ? min(rate, 1) : 0 }
  }
}

/// What goes wrong with one request.
struct ScriptedFault {
  /// What answers in the script's place; nil where the script does.
  let step: ScriptedTransport.Step?
  /// Whether the script's step is used up all the same.
  let reachesServer: Bool
  let delay: Duration
}

extension ScriptedTransport.Faults {
  /// Draws what goes wrong with a request: one number for the fault, one for a code among several, one for a delay.
  func draw(_ random: RandomSource) -> ScriptedFault {
    // Faults lie at the upper end of the numbers, so that a choice of zero is none.
    let share = 1 - random.fraction()
    var fault: (step: ScriptedTransport.Step, reachesServer: Bool)?
    if share <= failure {
      let error = TransportError(code(random))
      fault = (.failure(error), error.mayHaveActed)
    } else if share <= failure + status503 {
      fault = (.status(503), false)
    } else if share <= failure + status503 + hang {
      fault = (.hang, false)
    }
    return ScriptedFault(step: fault?.step, reachesServer: fault?.reachesServer ?? true, delay: delay(random))
  }

  private func code(_ random: RandomSource) -> URLError.Code {
    guard codes.count > 1 else { return codes.first ?? .networkConnectionLost }
    return codes[min(codes.count - 1, Int(random.fraction() * Double(codes.count)))]
  }

  private func delay(_ random: RandomSource) -> Duration {
    let (earliest, latest) = (max(.zero, delay.lowerBound).clamped, max(.zero, delay.upperBound).clamped)
    guard latest > earliest else { return earliest }
    return earliest.saturatingAdd((latest - earliest).scaled(by: random.fraction()))
  }
}
