/// The shortest JSON number that reads back as the same finite double.
///
/// The standard library finds the digits; the zeros and signs that JSON does not need go: `1.0` becomes
/// `1`, `1e-05` becomes `1e-5`, `1e+16` becomes `1e16`.
func shortestText(of value: Double) -> String {
  let text = value.description
  let halves = text.split(separator: "e", maxSplits: 1)
  let mantissa = halves[0].hasSuffix(".0") ? halves[0].dropLast(2) : halves[0]
  guard halves.count == 2 else { return String(mantissa) }
  let sign = halves[1].hasPrefix("-") ? "-" : ""
  let exponent = halves[1].drop { $0 == "-" || $0 == "+" || $0 == "0" }
  return "\(mantissa)e\(sign)\(exponent)"
}
