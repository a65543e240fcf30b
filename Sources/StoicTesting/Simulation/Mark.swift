/// Notes that a simulated run has come to a place that only few runs come to.
///
/// Declare the places that a sweep has to reach as `marks` of
/// ``simulate(seeds:schedules:earlyTimers:stepLimit:marks:_:)``: a test whose rare branch is never run proves nothing of it. A
/// mark that is not declared is counted, and shown in a timeline. Outside of a simulation it does nothing.
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
