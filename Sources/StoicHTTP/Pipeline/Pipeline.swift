import Stoic

/// What all calls of a client share.
final class Pipeline: Sendable {
  let transport: any HTTPTransport
  let policy: HTTPPolicy
  let label: String
  let hosts: HostRegistry
  let flights: SingleFlight<FlightKey, Call.Answer>

  init(_ transport: any HTTPTransport, _ policy: HTTPPolicy, label: String) {
    self.transport = transport
    self.policy = policy
    self.label = label
    hosts = HostRegistry(policy, label: label)
    flights = SingleFlight(label: label)
  }
}
