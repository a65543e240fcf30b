import Foundation

/// Both runs of an outage as one picture: requests per second at the server over time.
package struct OutagePicture: Sendable {
  private let scenario: OutageScenario
  private let protected: OutageRun
  private let unprotected: OutageRun

  private static let (width, height) = (960.0, 540.0)
  private static let (left, right, top, bottom) = (70.0, 24.0, 104.0, 56.0)
  private static let red = "#b3261e"
  private static let blue = "#1558a6"
  private static let ink = "#222222"
  private static let pale = "#dddddd"

  package init(_ scenario: OutageScenario, protected: OutageRun, unprotected: OutageRun) {
    self.scenario = scenario
    self.protected = protected
    self.unprotected = unprotected
  }

  /// The picture as an SVG document of its own: no script, no font and nothing else from elsewhere.
  package var svg: String {
    let parts = [title, shade, grid, axes, lines, curves, legend, endings]
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 960 540" width="960" height="540" \
      font-family="sans-serif" font-size="13" fill="\(Self.ink)">
      <rect width="960" height="540" fill="#ffffff"/>
      \(parts.flatMap(\.self).joined(separator: "\n"))
      </svg>

      """
  }

  // MARK: Places

  private var most: Int {
    (protected.requests + unprotected.requests + [scenario.capacity]).max() ?? scenario.capacity
  }

  /// The distance of two marks of the load's axis: the first that makes at most eight.
  private var step: Int {
    [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000].first { $0 * 8 >= most } ?? most
  }

  private var ceiling: Int { (most / step + 1) * step }

  private func x(_ second: Double) -> Double {
    Self.left + (Self.width - Self.left - Self.right) * second / Double(scenario.length)
  }

  private func y(_ load: Double) -> Double {
    let bottom = Self.height - Self.bottom
    return bottom - (bottom - Self.top) * load / Double(ceiling)
  }

  // MARK: Parts

  private var title: [String] {
    let heading = "\(scenario.clients.grouped) clients, one server, \(scenario.outage) seconds of outage"
    let bound = AmplificationBound(scenario).factor.twoDigits
    let detail =
      "Highest mean of any \(scenario.window) s, in baselines: with budget and breaker "
      + "\(protected.worst.twoDigits) (computed: at most \(bound)), with neither \(unprotected.worst.twoDigits)"
    return [text(heading, Self.left, 30, size: 19, weight: "bold"), text(detail, Self.left, 52)]
  }

  private var shade: [String] {
    let (start, end) = (x(Double(scenario.failing.lowerBound)), x(Double(scenario.failing.upperBound)))
    let label = scenario.fault == .hangs ? "the server hangs" : "the server refuses"
    return [
      """
      <rect x="\(start.place)" y="\(Self.top.place)" width="\((end - start).place)" \
      height="\((Self.height - Self.bottom - Self.top).place)" fill="#f6e7c8"/>
      """,
      text(label, (start + end) / 2, Self.top + 17, anchor: "middle"),
    ]
  }

  private var grid: [String] {
    stride(from: 0, through: ceiling, by: step).flatMap { load in
      let y = y(Double(load))
      return [
        line(Self.left, y, Self.width - Self.right, y, #"stroke="\#(Self.pale)""#),
        text(load.grouped, Self.left - 8, y + 4, anchor: "end"),
      ]
    }
  }

  private var axes: [String] {
    let bottom = Self.height - Self.bottom
    let marks = stride(from: 0, through: scenario.length, by: 15).flatMap { second in
      let x = x(Double(second))
      return [
        line(x, bottom, x, bottom + 5, #"stroke="\#(Self.ink)""#),
        text("\(second)", x, bottom + 20, anchor: "middle"),
      ]
    }
    let middle = (Self.top + bottom) / 2
    return marks + [
      line(Self.left, bottom, Self.width - Self.right, bottom, #"stroke="\#(Self.ink)""#),
      text("virtual time in seconds", x(Double(scenario.length) / 2), bottom + 42, anchor: "middle"),
      """
      <text transform="translate(18 \(middle.place)) rotate(-90)" text-anchor="middle">\
      requests per second at the server</text>
      """,
    ]
  }

  private var lines: [String] {
    level(Double(scenario.capacity), Self.ink, dashes: "8 5")
      + level(AmplificationBound(scenario).load, Self.blue, dashes: "2 4")
  }

  private func level(_ load: Double, _ color: String, dashes: String) -> [String] {
    let y = y(load)
    let style = #"stroke="\#(color)" stroke-width="1.5" stroke-dasharray="\#(dashes)""#
    return [line(Self.left, y, Self.width - Self.right, y, style)]
  }

  private var curves: [String] {
    [curve(unprotected.requests, Self.red), curve(protected.requests, Self.blue)]
  }

  /// A point for each second, in its middle.
  private func curve(_ requests: [Int], _ color: String) -> String {
    let points = requests.enumerated().map { second, count in
      "\(x(Double(second) + 0.5).place),\(y(Double(count)).place)"
    }
    return """
      <polyline fill="none" stroke="\(color)" stroke-width="2" stroke-linejoin="round" \
      points="\(points.joined(separator: " "))"/>
      """
  }

  private var legend: [String] {
    let entries = [
      ("with budget and breaker", #"stroke="\#(Self.blue)" stroke-width="2""#),
      ("with neither", #"stroke="\#(Self.red)" stroke-width="2""#),
      (
        "capacity, \(scenario.capacity.grouped)/s",
        #"stroke="\#(Self.ink)" stroke-width="1.5" stroke-dasharray="8 5""#
      ),
      (
        "computed bound, mean of any \(scenario.window) s",
        #"stroke="\#(Self.blue)" stroke-width="1.5" stroke-dasharray="2 4""#
      ),
    ]
    var x = Self.left
    return entries.flatMap { label, style in
      // Seven points are the width of a letter of a wide font.
      defer { x += 60 + 7 * Double(label.count) }
      return [line(x, 78, x + 28, 78, style), text(label, x + 34, 82)]
    }
  }

  /// What becomes of the calls, at the end of each curve.
  private var endings: [String] {
    let x = Self.width - Self.right
    func highest(_ run: OutageRun) -> Double { Double(run.requests.suffix(45).max() ?? 0) }
    return [
      text(
        "\(unprotected.answeredAtTheEnd.percent) of the calls answered", x, y(highest(unprotected)) - 10,
        anchor: "end", color: Self.red),
      text(
        "\(protected.answeredAtTheEnd.percent) of the calls answered", x, y(highest(protected)) + 22,
        anchor: "end", color: Self.blue),
    ]
  }

  // MARK: Elements

  private func line(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, _ style: String) -> String {
    #"<line x1="\#(x1.place)" y1="\#(y1.place)" x2="\#(x2.place)" y2="\#(y2.place)" \#(style)/>"#
  }

  private func text(
    _ text: String, _ x: Double, _ y: Double, size: Int = 13, weight: String = "normal",
    anchor: String = "start", color: String = OutagePicture.ink
  ) -> String {
    """
    <text x="\(x.place)" y="\(y.place)" font-size="\(size)" font-weight="\(weight)" \
    text-anchor="\(anchor)" fill="\(color)">\(text)</text>
    """
  }
}
