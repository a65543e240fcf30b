/// Counts the steps of a parser, so that tests can hold it to linear work without a clock.
protocol WorkMeter {
  init()
  mutating func add(_ steps: Int)
}

/// Counts nothing, and costs nothing.
struct NoMeter: WorkMeter {
  @inline(__always) mutating func add(_ steps: Int) {}
}

/// Counts every entry, every word of text looked at or moved, and every key hashed or compared.
struct Tally: WorkMeter {
  private(set) var steps = 0

  mutating func add(_ steps: Int) {
    self.steps += steps
  }
}
