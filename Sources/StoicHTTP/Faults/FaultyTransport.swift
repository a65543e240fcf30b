import Foundation
import Stoic

/// A transport on which a policy's faults happen, each told by an event.
struct FaultyTransport: HTTPTransport {
  private let inner: any HTTPTransport
  private let source: FaultSource
  private let label: String

  init(_ inner: any HTTPTransport, _ faults: HTTPFaults, label: String) {
    self.inner = inner
    self.label = label
    source = FaultSource(faults)
  }

  var enforcesTimeout: Bool { inner.enforcesTimeout }

  func send(_ request: TransportRequest, maxResponseBytes: Int) async throws -> HTTPResponse {
    let fault = source.draw()
    guard !fault.isNone else { return try await inner.send(request, maxResponseBytes: maxResponseBytes) }
    let arrival = ScriptedArrival(request, at: Ambient.clock.now)
    tell(fault, arrival)
    let play = ScriptedPlay(arrival, limit: max(0, maxResponseBytes))
    do {
      guard fault.reachesServer else { return try await play.run((fault.step ?? .hang).after(fault.delay)) }
      let response = try await inner.send(request, maxResponseBytes: maxResponseBytes)
      try await play.wait(fault.delay)
      guard let step = fault.step else { return response }
      return try await play.run(step)
    } catch is ScriptedTimeout { throw TransportError(.timedOut) }
  }

  private func tell(_ fault: HTTPFault, _ arrival: ScriptedArrival) {
    let authority = arrival.origin?.authority ?? ""
    Ambient.record(
      "http.fault_injected", .warning, label: "\(label) \(authority)",
      [
        Event.Field("method", arrival.request.method.name), Event.Field("host", authority),
        Event.Field("path", arrival.path), Event.Field("fault", fault.word ?? "delay"),
        Event.Field("delay", fault.delay.text),
      ])
  }
}
