/// Makes a response with what interrupts it.
package struct WireWriter: Sendable {
  private var writer: ResponseWriter
  private var interruptions: ArraySlice<LocalServer.Interruption>
  /// What comes between two bytes now: a piece is run as a response of its own.
  private var interruption: ResponseWriter?
  /// The response's bytes behind the next interruption.
  private var ahead = Outbox()
  private var hasBegun = false
  /// The response's bytes that are out.
  private var written = 0
  private var ending: ResponseWriter.Ending?

  /// - Parameter keepsAlive: whether the request allows another one after it.
  package init(_ response: LocalServer.Response, method: String, keepsAlive: Bool) {
    writer = ResponseWriter(response, method: method, keepsAlive: keepsAlive)
    interruptions = response.interruptions[...]
  }

  /// Fills an empty outbox, or says what stands in the way.
  package mutating func next(into outbox: inout Outbox) -> ResponseWriter.Step {
    while true {
      if let step = interruption?.next(into: &outbox) {
        guard case .finish(.keep) = step else { return step }
        interruption = nil
      }
      guard let next = interruptions.first else { return goOn(into: &outbox) }
      // What is made goes out before anything else is done.
      guard outbox.isEmpty else { return .send }
      // Not before the writer was asked once: a delay comes before everything.
      if hasBegun, next.offset <= written || (ahead.isEmpty && ending != nil) {
        interruptions.removeFirst()
        interruption = ResponseWriter(.raw([next.piece]), method: "", keepsAlive: true)
      } else if ahead.isEmpty {
        hasBegun = true
        switch writer.next(into: &ahead) {
        case .send: break
        case .finish(let ending): self.ending = ending
        case let step: return step
        }
      } else {
        written += ahead.move(upTo: next.offset - written, to: &outbox)
      }
    }
  }

  /// Goes on with the response once nothing interrupts it any more.
  private mutating func goOn(into outbox: inout Outbox) -> ResponseWriter.Step {
    if !ahead.isEmpty {
      _ = ahead.move(upTo: Int.max, to: &outbox)
      return .send
    }
    if let ending { return .finish(ending) }
    return writer.next(into: &outbox)
  }
}
