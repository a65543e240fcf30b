/// What a server serves in an overload, over time, as one picture.
struct OverloadPicture {
  struct Curve {
    var name: String
    var color: String
    var play: OverloadPlay
  }

  let scenario: OverloadPlay.Scenario
  let curves: [Curve]

  private static let (left, right, top, bottom) = (64.0, 940.0, 104.0, 480.0)
  private static let ink = "#222222"
  private static let pale = "#dddddd"
  private static let sand = "#f6e7c8"
  private static let most = 50

  /// The picture as an SVG document of its own: no script, no font and nothing else from elsewhere.
  var svg: String {
    let parts = [title, shade, grid, capacity, curves.map(line), legend]
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 960 540" width="960" height="540" \
      font-family="sans-serif" font-size="13" fill="\(Self.ink)">
      <rect width="960" height="540" fill="#ffffff"/>
      \(parts.flatMap(\.self).joined(separator: "\n"))
      </svg>

      """
  }

  private func x(_ second: Int) -> Int {
    Int(Self.left) + (Int(Self.right) - Int(Self.left)) * second / scenario.length
  }

  private func y(_ rate: Double, below points: Double = 0) -> String {
    let place = Self.bottom - (Self.bottom - Self.top) * rate / Double(Self.most) + points
    let tenths = Int((place * 10).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }

  private var title: [String] {
    let (well, overload) = (scenario.well, scenario.overload)
    let times = overload.load / well.load
    return [
      text(
        "One server, \(overload.capacity) calls a second, \(times) times the load for a while", 64, "30",
        size: 19),
      text(
        "Calls served a second, means of ten seconds; to turn one away costs a twentieth of serving it", 64,
        "52"),
    ]
  }

  private var shade: [String] {
    let (start, end) = (x(scenario.overloaded.lowerBound), x(scenario.overloaded.upperBound))
    let (well, overload) = (scenario.well.load, scenario.overload.load)
    return [
      #"<rect x="\#(start)" y="104" width="\#(end - start)" height="376" fill="\#(Self.sand)"/>"#,
      text("\(well) a second", (64 + start) / 2, "121", anchor: "middle"),
      text("\(overload) calls a second", (start + end) / 2, "121", anchor: "middle"),
      text("\(well) calls a second", (end + 940) / 2, "121", anchor: "middle"),
    ]
  }

  private var grid: [String] {
    let levels = stride(from: 0, through: Self.most, by: 10).flatMap { rate in
      let y = y(Double(rate))
      return [
        #"<line x1="64" y1="\#(y)" x2="940" y2="\#(y)" stroke="\#(Self.pale)"/>"#,
        text("\(rate)", 56, self.y(Double(rate), below: 4), anchor: "end"),
      ]
    }
    let marks = stride(from: 0, through: scenario.length, by: 60).flatMap { second in
      [
        #"<line x1="\#(x(second))" y1="480" x2="\#(x(second))" y2="485" stroke="\#(Self.ink)"/>"#,
        text("\(second)", x(second), "500", anchor: "middle"),
      ]
    }
    return levels + marks + [text("virtual time in seconds", 502, "524", anchor: "middle")]
  }

  private var capacity: [String] {
    let y = y(Double(scenario.overload.capacity))
    return [
      #"<line x1="64" y1="\#(y)" x2="940" y2="\#(y)" stroke="\#(Self.ink)" stroke-dasharray="8 5"/>"#,
      text("capacity", 934, self.y(Double(scenario.overload.capacity), below: -6), anchor: "end"),
    ]
  }

  private func line(_ curve: Curve) -> String {
    let points = stride(from: 0, through: scenario.length - 10, by: 5).map { second in
      "\(x(second + 5)),\(y(curve.play.goodput(from: second)))"
    }
    return
      #"<polyline fill="none" stroke="\#(curve.color)" stroke-width="2" points="\#(points.joined(separator: " "))"/>"#
  }

  private var legend: [String] {
    var x = 64
    return curves.flatMap { curve in
      // Seven points are the width of a letter of a wide font.
      defer { x += 60 + 7 * curve.name.count }
      return [
        #"<line x1="\#(x)" y1="78" x2="\#(x + 28)" y2="78" stroke="\#(curve.color)" stroke-width="2"/>"#,
        text(curve.name, x + 34, "82"),
      ]
    }
  }

  private func text(
    _ text: String, _ x: Int, _ y: String, size: Int = 13, anchor: String = "start"
  ) -> String {
    #"<text x="\#(x)" y="\#(y)" font-size="\#(size)" text-anchor="\#(anchor)">\#(text)</text>"#
  }
}
