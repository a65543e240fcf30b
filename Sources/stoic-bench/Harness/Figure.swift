import StoicJSON

/// One measured figure, compared with something measured in the same run.
struct Figure {
  let name: String
  /// The median of all rounds.
  let value: Double
  let unit: String
  /// What it is compared with.
  let against: String
  /// The median of the rounds' ratios: how many times as much as the other.
  let ratio: Double
  let rounds: Int
  let min: Double
  let max: Double

  /// Compares the samples of two contenders, taken in turn.
  init(_ name: String, unit: String, _ samples: [Double], against: String, _ others: [Double]) {
    self.name = name
    self.unit = unit
    self.against = against
    rounds = samples.count
    value = median(samples)
    ratio = median(zip(samples, others).map { $0 / $1 })
    min = samples.min() ?? 0
    max = samples.max() ?? 0
  }

  /// What one contender takes over another that is part of it, taken in turn; the ratio is of the whole.
  init(_ name: String, unit: String, _ samples: [Double], over base: String, _ others: [Double]) {
    let differences = zip(samples, others).map { $0 - $1 }
    self.name = name
    self.unit = unit
    against = base
    rounds = samples.count
    value = median(differences)
    ratio = median(zip(samples, others).map { $0 / $1 })
    min = differences.min() ?? 0
    max = differences.max() ?? 0
  }
}

/// The middle one of some numbers, or the mean of the two in the middle; 0 of none.
func median(_ numbers: [Double]) -> Double {
  let sorted = numbers.sorted()
  if sorted.isEmpty { return 0 }
  return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
}

/// One JSON array of all figures.
func jsonText(of figures: [Figure]) throws -> String {
  let values = figures.map { figure -> JSON in
    [
      "name": JSON(figure.name), "value": JSON(rounded(figure.value)), "unit": JSON(figure.unit),
      "against": JSON(figure.against), "ratio": JSON(rounded(figure.ratio)), "rounds": JSON(figure.rounds),
      "min": JSON(rounded(figure.min)), "max": JSON(rounded(figure.max)),
    ]
  }
  return String(decoding: try JSON(values).serialized(), as: UTF8.self)
}

private func rounded(_ value: Double) -> Double {
  (value * 1000).rounded() / 1000
}

/// A line for each figure.
func table(of figures: [Figure]) -> String {
  let rows = figures.map { figure in
    [
      figure.name, "\(rounded(figure.value))", figure.unit, "\(rounded(figure.ratio))x", figure.against,
      "\(rounded(figure.min))...\(rounded(figure.max))",
    ]
  }
  let titles = ["name", "median", "unit", "ratio", "against", "range"]
  let widths = titles.indices.map { column in
    ([titles] + rows).map { $0[column].count }.max() ?? 0
  }
  return ([titles] + rows).map { row in
    zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }.joined(separator: "  ")
  }.joined(separator: "\n")
}
