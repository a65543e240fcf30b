import Stoic

extension SimulationTimeline {
  private static let (lane, line, time) = (28, 20, 90)

  /// The timeline as a picture: an SVG document with a lane for each task, time downwards, every row.
  public var svg: String {
    guard !rows.isEmpty else { return "" }
    let lanes = lanes
    let head = 20 + 8 * (lanes.map { name($0).count }.max() ?? 0)
    let texts = rows.map(words) + (end.map { ["✘ \($0)"] } ?? [])
    let margins = margins(rows.indices.map { $0..<$0 + 1 })
    let margin = Self.time + 8 * (margins.first?.count ?? 0)
    let left = margin + Self.lane * lanes.count + 20
    let width = left + 8 * (texts.map(\.count).max() ?? 0)
    let height = head + Self.line * (texts.count + 1)
    var parts = [
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"\(width)\" height=\"\(height)\" font-family=\"monospace\" "
        + "font-size=\"13\">", "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>",
    ]
    for (place, task) in lanes.enumerated() {
      let x = margin + Self.lane * place + Self.lane / 2
      parts.append(
        "<text transform=\"translate(\(x + 4),\(head - 8)) rotate(-90)\">\(Self.escaped(name(task)))</text>")
      let involved = rows.indices.filter { rows[$0].task == task || rows[$0].woken.contains(task) }
      guard let first = involved.first, let last = involved.last else { continue }
      parts.append(
        "<line x1=\"\(x)\" x2=\"\(x)\" y1=\"\(middle(first, head))\" y2=\"\(middle(last, head))\" stroke=\"#999\"/>"
      )
      for index in involved {
        let runs = rows[index].task == task
        let fill = runs ? (rows[index].preempted == nil ? "#06c" : "#c30") : "#fff"
        parts.append(
          "<circle cx=\"\(x)\" cy=\"\(middle(index, head))\" r=\"\(runs ? 6 : 4)\" fill=\"\(fill)\" stroke=\"#666\"/>"
        )
      }
    }
    for (index, text) in texts.enumerated() {
      let y = middle(index, head) + 4
      if index < rows.count, index == 0 || rows[index].time != rows[index - 1].time {
        parts.append("<text x=\"8\" y=\"\(y)\" fill=\"#666\">\(Self.escaped(rows[index].time.text))</text>")
      }
      if index < rows.count, !margins[index].isEmpty {
        parts.append(
          "<text x=\"\(Self.time)\" y=\"\(y)\" fill=\"#666\">\(Self.escaped(margins[index]))</text>")
      }
      let fill = index < rows.count ? "#000" : "#c30"
      parts.append("<text x=\"\(left)\" y=\"\(y)\" fill=\"\(fill)\">\(Self.escaped(text))</text>")
    }
    return (parts + ["</svg>"]).joined(separator: "\n") + "\n"
  }

  private func middle(_ row: Int, _ head: Int) -> Int { head + Self.line * row + Self.line / 2 }

  private static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      // XML has no place for them, escaped or not.
      case _ where scalar.value < 32: escaped += " "
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
