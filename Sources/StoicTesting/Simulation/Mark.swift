/// Notes that a simulated run has come to a place that only few runs come to.
///
/// Declare the places that a sweep has to reach as `marks` of
/// ``simulate(seeds:schedules:earlyTimers:stepLimit:marks:_:)``: a test whose rare branch is never run proves nothing of it. A
/// mark that is not declared is counted, and shown in a timeline. Outside of a simulation it does nothing.
///
/// Stoic's events are marks of their names, such as `breaker.opened`, and so are the rare places of its policies:
/// `bulkhead.permit_passed_on` (handed to a caller on its way out), `breaker.result_dropped` (its call began before a change),
/// `breaker.probe_given_back` (the probe said nothing), `breaker.probe_expired`, `retry.refunded` (paid for, and not made),
/// `single_flight.taken_over` (whoever flew has left).
///
/// ```swift
/// import Stoic
/// import StoicTesting
///
/// func first(of breaker: CircuitBreaker) async throws {
///   do { try await breaker.run {} } catch let rejection as Rejection {
///     mark("refused")
///     throw rejection
///   }
/// }
/// ```
///
/// - Parameter name: the place's name; how often a run comes there does not count.
public func mark(_ name: String) {
  SimulationRun.current?.reach(name)
}
