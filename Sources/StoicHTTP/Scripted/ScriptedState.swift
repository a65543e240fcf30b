import Stoic

/// The script and what has happened by it.
///
/// Pure: it calls nobody. What a request gets may depend on conditions and faults, which are looked at outside.
struct ScriptedState {
  /// How a request comes by its step.
  enum Next {
    /// This is it.
    case step(ScriptedTransport.Step)
    /// By the first of these whose condition holds.
    case routes([Candidate])
    /// By a draw first.
    case faults(FaultSource)
  }

  /// A route that a request fits, but for its condition.
  struct Candidate {
    let number: Int
    let condition: (@Sendable (TransportRequest) -> Bool)?
  }

  private var source: FaultSource?
  private var routes: [ScriptedRoute] = []
  private(set) var exchanges: [ScriptedExchange] = []
  private(set) var inFlight = 0
  private(set) var maxInFlight = 0
  private(set) var aborted = 0

  var faults: HTTPFaults? {
    get { source?.faults }
    set { source = newValue.map { FaultSource($0) } }
  }

  mutating func add(_ route: ScriptedRoute) { routes.append(route) }

  /// A request arrives.
  mutating func open(_ arrival: ScriptedArrival) -> (number: Int, next: Next) {
    exchanges.append(ScriptedExchange(arrival))
    inFlight += 1
    maxInFlight = max(maxInFlight, inFlight)
    let number = exchanges.count - 1
    return (number, source.map { .faults($0) } ?? find(arrival, number))
  }

  /// Looks for the route of a request; takes its step at once where no condition is to be asked.
  mutating func find(_ arrival: ScriptedArrival, _ number: Int) -> Next {
    var candidates: [Candidate] = []
    for index in routes.indices.reversed() where routes[index].match.fits(arrival) {
      let condition = routes[index].match.condition
      if condition == nil && candidates.isEmpty { return .step(take(index, for: number)) }
      candidates.append(Candidate(number: index, condition: condition))
      if condition == nil { break }
    }
    return candidates.isEmpty ? .step(take(nil, for: number)) : .routes(candidates)
  }

  /// Takes a route's next step for a request; without a route, or with one that has none, the request is unscripted.
  mutating func take(_ route: Int?, for number: Int) -> ScriptedTransport.Step {
    if let route, let step = routes[route].next() { return step }
    exchanges[number].isUnscripted = true
    return .status(404)
  }

  mutating func noteFault(_ number: Int) { exchanges[number].isFault = true }

  /// An exchange ends.
  mutating func close(_ number: Int, _ ending: ScriptedExchange.Ending, at instant: AmbientClock.Instant) {
    exchanges[number].close(ending, at: instant)
    inFlight -= 1
    if ending.isAbort { aborted += 1 }
  }
}
