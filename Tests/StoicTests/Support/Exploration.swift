/// A state, a naive model of it, and every event that may come next.
protocol Explorable {
  associatedtype Event
  associatedtype Mark: Hashable

  /// The events that make sense now.
  var events: [Event] { get }

  /// Equal for two pairs of state and model only when both are equal in every field.
  var mark: Mark { get }

  /// Lets an event happen to the state and to the model; returns what they do not agree on.
  mutating func apply(_ event: Event) -> String?

  /// What must hold after any event; returns what does not.
  func checkInvariants() -> String?
}

/// What came of trying all sequences of events.
struct Exploration {
  /// How many events were applied.
  private(set) var steps = 0
  /// The first disagreement or broken invariant, after one of the shortest sequences that lead to one.
  private(set) var fault: String?

  /// Tries every sequence of up to a number of events.
  ///
  /// It goes by length, over copies of the values. A pair that was met after fewer or as many events is not
  /// continued again: what can follow is the same, and as much of it was left to be tried the first time.
  init<Start: Explorable>(of start: Start, depth: Int) {
    var seen: Set = [start.mark]
    var layer: [(value: Start, trail: [Start.Event])] = [(start, [])]
    for _ in 0..<depth {
      var next: [(value: Start, trail: [Start.Event])] = []
      for (value, trail) in layer {
        for event in value.events {
          var copy = value
          steps += 1
          if let fault = copy.apply(event) ?? copy.checkInvariants() {
            self.fault = "\(fault) after " + (trail + [event]).map { "\($0)" }.joined(separator: ", ")
            return
          }
          if seen.insert(copy.mark).inserted { next.append((copy, trail + [event])) }
        }
      }
      layer = next
    }
  }
}

/// Two values by their names when they differ, else nil.
func difference<Value: Equatable>(_ name: String, _ state: Value, _ model: Value) -> String? {
  state == model ? nil : "\(name) is \(state), by the model \(model)"
}

/// The name of a rule that does not hold, else nil.
func broken(_ rule: String, unless holds: Bool) -> String? { holds ? nil : "broken: \(rule)" }

/// All stored fields of a value as text, for a ``Explorable/mark`` of what is not `Hashable`.
func picture(of value: Any) -> String {
  let mirror = Mirror(reflecting: value)
  guard let style = mirror.displayStyle, !mirror.children.isEmpty else { return "\(value)" }
  let parts = mirror.children.map { "\($0.label ?? "")=\(picture(of: $0.value))" }
  let ordered = style == .dictionary || style == .set ? parts.sorted() : parts
  return "[\(ordered.joined(separator: " "))]"
}
