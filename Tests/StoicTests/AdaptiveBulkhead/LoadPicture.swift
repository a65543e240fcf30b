/// What was seen in a virtual second.
struct LoadSecond {
  let limit: Int
  let answered: Int
}

/// A run of a server whose number of workers changes, as a picture: workers, limit, and answers as the workers they take.
struct LoadPicture {
  let seen: [LoadSecond]
  /// The number of workers in each second.
  let workers: [Int]
  /// How many answers a worker gives in a second.
  let rate: Int

  private static let (left, right, top, bottom) = (60.0, 936.0, 90.0, 370.0)

  /// The picture as an SVG document of its own.
  var svg: String {
    let most = Double(max(workers.max() ?? 1, seen.map(\.limit).max() ?? 1)) * 1.1
    func x(_ second: Double) -> Double {
      Self.left + (Self.right - Self.left) * second / Double(max(1, seen.count))
    }
    func y(_ calls: Double) -> Double { Self.bottom - (Self.bottom - Self.top) * calls / most }
    func curve(_ values: [Double], _ color: String, _ style: String = "") -> String {
      let points = values.enumerated()
        .map { "\(place(x(Double($0.offset) + 0.5))),\(place(y($0.element)))" }
        .joined(separator: " ")
      let line = #"fill="none" stroke="\#(color)" stroke-width="2""#
      return "<polyline \(line) \(style) points=\"\(points)\"/>"
    }
    func text(_ text: String, _ x: Double, _ y: Double, _ style: String = "") -> String {
      #"<text x="\#(place(x))" y="\#(place(y))" \#(style)>\#(text)</text>"#
    }
    let marks =
      stride(from: 0, through: Int(most), by: 10).map { calls in
        #"<path d="M\#(place(Self.left)) \#(place(y(Double(calls))))H\#(place(Self.right))" stroke="lightgray"/>"#
          + text("\(calls)", Self.left - 8, y(Double(calls)) + 4, #"text-anchor="end""#)
      }
      + stride(from: 0, through: seen.count, by: 5).map {
        text("\($0)", x(Double($0)), Self.bottom + 20, #"text-anchor="middle""#)
      }
    let legend = [
      ("workers", "black"), ("limit", "steelblue"), ("answers per second / \(rate)", "firebrick"),
    ]
    .enumerated().map { number, entry in
      text(entry.0, Self.left + 160 * Double(number), 66, #"fill="\#(entry.1)""#)
    }
    let parts =
      [text("An adaptive bulkhead before a server of changing capacity", Self.left, 32, #"font-size="19""#)]
      + legend + marks
      + [
        curve(workers.map(Double.init), "black", #"stroke-dasharray="8 5" "#),
        curve(seen.map { Double($0.answered) / Double(rate) }, "firebrick"),
        curve(seen.map { Double($0.limit) }, "steelblue"),
        text("virtual time in seconds", (Self.left + Self.right) / 2, 412, #"text-anchor="middle""#),
      ]
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 960 430" width="960" height="430" \
      font-family="sans-serif" font-size="13" fill="black">
      <rect width="960" height="430" fill="white"/>
      \(parts.joined(separator: "\n"))
      </svg>

      """
  }

  /// A coordinate with one decimal.
  private func place(_ value: Double) -> String { "\((value * 10).rounded() / 10)" }
}
