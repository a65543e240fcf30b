import Stoic

/// What all calls of a client share.
final class Pipeline: Sendable {
  let transport: any HTTPTransport
  let policy: HTTPPolicy
  let label: String
  let hosts: HostRegistry
  let flights: FlightBoard
  let vary: VaryRule

  init(_ transport: any HTTPTransport, _ policy: HTTPPolicy, label: String) {
    self.transport = policy.faults.map { FaultyTransport(transport, $0, label: label) } ?? transport
    self.policy = policy
    self.label = label
    hosts = HostRegistry(policy, label: label)
    flights = FlightBoard(label: label)
    vary = VaryRule(policy.varyHeaders)
  }
}
