public import Foundation
import Stoic

/// What goes wrong on the way to a server: a mix of faults, each drawn per request.
///
/// One mix serves a test's script and a client in staging, and draws by the same rules as the faults of any other fake:
///
/// ```swift
/// let faults = HTTPFaults(failure: 0.1, status: 0.05, hang: 0.01, delay: .zero ... .seconds(2))
/// transport.faults = faults  // a test's ScriptedTransport
/// policy.faults = faults     // a client in staging
/// ```
///
/// Without a ``seed`` all draws come from `Ambient.random`: inside `simulate` they are choices of the run, so that its seed
/// repeats them; outside of one `withRandom(.seeded(1))` does. A run whose choices are all zero meets no fault.
///
/// Rates are shares of all requests within 0...1; a NaN and less than 0 count as 0, more than 1 as 1. Faults exclude each
/// other: where the rates add up to more than 1, they are served in the order failure, status, hang.
public struct HTTPFaults: Sendable, Hashable {
  private var mix: FaultMix

  /// How failures fail, each as often as the others; none is `networkConnectionLost`.
  ///
  /// Where the server may have acted it gets the request, and its answer is lost; where it cannot have, such as with
  /// `cannotConnectToHost`, it gets none.
  public var codes: [URLError.Code]
  /// What something in front of the server answers, each as often as the others; none is 503.
  public var statuses: [Int]
  /// The start of a sequence of draws that the faults have for themselves; nil draws from `Ambient.random`.
  public var seed: UInt64?

  /// Makes a mix of faults; what is not given does not go wrong.
  public init(
    failure: Double = 0, codes: [URLError.Code] = [.networkConnectionLost], status: Double = 0,
    statuses: [Int] = [503], hang: Double = 0, late: Double = 1,
    delay: ClosedRange<Duration> = .zero ... .zero,
    seed: UInt64? = nil
  ) {
    mix = FaultMix(failure: failure, answer: status, hang: hang, late: late, delay: delay)
    self.codes = codes
    self.statuses = statuses
    self.seed = seed
  }

  /// The share of requests that fail with one of ``codes``.
  public var failure: Double {
    get { mix.failure }
    set { mix.failure = newValue }
  }

  /// The share of requests that something in front of the server answers with one of ``statuses``.
  public var status: Double {
    get { mix.answer }
    set { mix.answer = newValue }
  }

  /// The share of requests that never get an answer.
  public var hang: Double {
    get { mix.hang }
    set { mix.hang = newValue }
  }

  /// The share of requests whose answer is late by a time within ``delay``.
  public var late: Double {
    get { mix.late }
    set { mix.late = newValue }
  }

  /// By how much a late answer is late, on the ambient clock, each time within the range as likely as the others.
  ///
  /// It comes on top of the server's own time, and delays faults as well. Negative times count as zero.
  public var delay: ClosedRange<Duration> {
    get { mix.delay }
    set { mix.delay = newValue }
  }
}

/// What goes wrong with one request.
struct HTTPFault {
  /// What answers in the server's place; nil where the server does.
  let step: ScriptedTransport.Step?
  /// Whether the server gets the request.
  let reachesServer: Bool
  let delay: Duration
  /// The fault as a short word; nil where there is none but a delay.
  let word: String?

  /// Whether nothing goes wrong.
  var isNone: Bool { step == nil && delay == .zero }
}

extension HTTPFaults {
  /// Draws what goes wrong with a request: one number for the fault, then those of the delay, then one for a code or a status
  /// among several.
  func draw(_ random: RandomSource) -> HTTPFault {
    let (fault, delay) = mix.draw(random)
    switch fault {
    case .failure:
      let error = TransportError(Self.one(of: codes, random) ?? .networkConnectionLost)
      return HTTPFault(
        step: .failure(error), reachesServer: error.mayHaveActed, delay: delay,
        word: "transport_\(error.code.rawValue)")
    case .answer:
      let status = Self.one(of: statuses, random) ?? 503
      return HTTPFault(step: .status(status), reachesServer: false, delay: delay, word: "status_\(status)")
    case .hang: return HTTPFault(step: .hang, reachesServer: false, delay: delay, word: "hang")
    case nil: return HTTPFault(step: nil, reachesServer: true, delay: delay, word: nil)
    }
  }

  /// Whether anything can go wrong.
  var canHappen: Bool { failure > 0 || status > 0 || hang > 0 || (late > 0 && delay.upperBound > .zero) }

  private static func one<Value>(of values: [Value], _ random: RandomSource) -> Value? {
    guard values.count > 1 else { return values.first }
    return values[min(values.count - 1, Int(random.fraction() * Double(values.count)))]
  }
}

extension HTTPFaults: CustomStringConvertible {
  /// The faults that happen, with their shares.
  public var description: String {
    var parts: [String] = []
    if failure > 0 {
      let names = codes.isEmpty ? [.networkConnectionLost] : codes
      parts.append("\(failure) fail with \(names.map { "\($0.rawValue)" }.joined(separator: ", "))")
    }
    if status > 0 {
      let names = statuses.isEmpty ? [503] : statuses
      parts.append("\(status) get \(names.map { "\($0)" }.joined(separator: ", "))")
    }
    if hang > 0 { parts.append("\(hang) hang") }
    if late > 0, delay.upperBound > .zero {
      parts.append("\(late) are \(delay.lowerBound.text) to \(delay.upperBound.text) late")
    }
    guard !parts.isEmpty else { return "no faults" }
    return "faults (\(parts.joined(separator: ", "))\(seed.map { ", seed \($0)" } ?? ""))"
  }
}

/// A mix of faults, and where its draws come from.
struct FaultSource: Sendable {
  let faults: HTTPFaults
  /// The mix's own sequence; nil where it has none.
  private let own: RandomSource?

  init(_ faults: HTTPFaults) {
    self.faults = faults
    own = faults.seed.map { .seeded($0) }
  }

  func draw() -> HTTPFault { faults.draw(own ?? Ambient.random) }
}
