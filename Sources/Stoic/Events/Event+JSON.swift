extension Event {
  /// The event as a JSON object on one line, private fields left out.
  func jsonText(at instant: AmbientClock.Instant) -> String {
    var seen: Set<String> = []
    let facts = fields.filter { !$0.isPrivate && seen.insert($0.key).inserted }.map { field in
      "\(field.key.jsonString):\(field.value.jsonString)"
    }
    return """
      {"time":\(instant.offset.decimalSeconds),"level":"\(level)","name":\(name.jsonString),\
      "label":\(label.jsonString),"fields":{\(facts.joined(separator: ","))}}
      """
  }
}

extension Duration {
  /// Seconds as a decimal number with six places, towards zero, such as `-0.500000`.
  fileprivate var decimalSeconds: String {
    let (seconds, attoseconds) = clamped.components
    let microseconds = String((attoseconds / 1_000_000_000_000).magnitude)
    let sign = self < .zero ? "-" : ""
    return "\(sign)\(seconds.magnitude)." + String(repeating: "0", count: 6 - microseconds.count)
      + microseconds
  }
}
