/// One route of a script: which requests it answers, and with what.
struct ScriptedRoute {
  let match: ScriptedTransport.Match
  private var steps: ArraySlice<ScriptedTransport.Step>
  private let last: ScriptedTransport.Step?

  /// - Parameter last: what answers after the steps; nil repeats the last step.
  init(
    _ match: ScriptedTransport.Match, _ steps: [ScriptedTransport.Step], then last: ScriptedTransport.Step?
  ) {
    self.match = match
    self.steps = steps[...]
    self.last = last ?? steps.last
  }

  /// The next answer; nil for a route without any.
  mutating func next() -> ScriptedTransport.Step? {
    steps.popFirst() ?? last
  }
}
