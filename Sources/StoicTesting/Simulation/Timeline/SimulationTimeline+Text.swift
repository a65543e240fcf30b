import Stoic

extension SimulationTimeline {
  /// The text has so many lines at the most.
  private static let mostLines = 40
  /// A row tells so much in a line.
  private static let length = 150

  /// The timeline as text, of at most 40 lines; of a long run the beginning and the end.
  ///
  /// What a row tells goes on in further lines where there is room for them, for the last rows first, since a reader begins
  /// at the end.
  public var text: String {
    guard !rows.isEmpty else { return "" }
    let folds = folds
    let ending = end.map { Self.wrapped("✘ \(Self.plain($0))", most: 6) } ?? []
    let room = Self.mostLines - 1 - ending.count
    let hidden = max(0, folds.count - room)
    let first = hidden == 0 ? folds.count : room / 4
    // The line that tells how many are left out takes the place of one.
    let shown = Array(folds[..<first]) + (hidden == 0 ? [] : folds[(first + hidden + 1)...])
    var spare = room - folds.count
    let words: [[String]] = shown.reversed().map { fold in
      let words = Self.plain(self.words(fold))
      let lines = Self.wrapped(words, most: .max)
      guard lines.count - 1 <= spare else { return Self.wrapped(words, most: 1) }
      spare -= max(0, lines.count - 1)
      return lines
    }
    let left = pictures(shown)
    var lines = zip(left, words.reversed()).flatMap { left, words in
      [left.picture + words[0]] + words.dropFirst().map { left.blank + $0 }
    }
    if hidden > 0 {
      // Where rows are left out none is wrapped.
      lines.insert("  … \(hidden + 1) rows left out", at: first)
    }
    let lanes = "\(self.lanes.count) task\(self.lanes.count == 1 ? "" : "s")"
    let head =
      "  time, \(Self.plain(marginHead))\(lanes), the oldest first (● runs, ○ can run, │ waits or has not ended, "
      + "→ starts or wakes), what was done ([…] an event):"
    let last = ending.indices.map { ($0 == 0 ? "  " : "    ") + ending[$0] }
    return ([head] + lines + last).joined(separator: "\n")
  }

  /// What stands before the words of each fold: time, margin and lanes; and the same room, empty.
  private func pictures(_ folds: [Range<Int>]) -> [(picture: String, blank: String)] {
    let lanes = lanes
    let margins = margins(folds)
    let times = folds.map { rows[$0.lowerBound].time.text }
    let width = times.map(\.count).max() ?? 0
    return folds.indices.map { index in
      let time = index > 0 && times[index] == times[index - 1] ? "" : times[index]
      let picture = lanes.count <= 20 ? lanes.map { mark(of: $0, in: folds[index]) }.joined() + "  " : ""
      let line =
        "  " + String(repeating: " ", count: width - time.count) + time + "  " + margins[index] + picture
      return (line, String(repeating: " ", count: line.count + 2))
    }
  }

  /// A text without what would break its line or drive a terminal: names are anybody's.
  private static func plain(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.map { isPlain($0) ? $0 : " " }))
  }

  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: false
    default: true
    }
  }

  /// A text in lines, broken between words; what is beyond the last line is left out.
  private static func wrapped(_ text: String, most: Int) -> [String] {
    var lines: [String] = []
    var rest = Substring(text)
    while rest.count > length, lines.count + 1 < most {
      let end = rest.index(rest.startIndex, offsetBy: length)
      let half = rest.index(rest.startIndex, offsetBy: length / 2)
      // Between deeds rather than between words; a word longer than a line is broken anywhere.
      let deed = rest[half..<end].lastIndex(of: ";").map { rest.index(after: $0) }
      let place = deed ?? rest[..<end].lastIndex(of: " ") ?? end
      lines.append(String(rest[..<place]))
      rest = rest[place...].drop { $0 == " " }
    }
    return lines + [rest.count > length ? rest.prefix(length - 1) + "…" : String(rest)]
  }

  /// A row in words.
  func words(_ row: Row) -> String {
    var parts: [String] = []
    if let other = row.preempted { parts.append("goes before \(name(other)), which could go on") }
    for deed in row.deeds where parts.last != deed { parts.append(deed) }
    var woken: [Int] = []
    for task in row.woken where !woken.contains(task) { woken.append(task) }
    if !woken.isEmpty { parts.append("makes runnable: " + woken.map(name).joined(separator: ", ")) }
    if let text = row.firing.text { parts.append(text) }
    if parts.isEmpty { parts.append(row.steps > 1 ? "runs \(row.steps) steps" : "runs") }
    return (row.task.map { name($0) + ": " } ?? "the clock: ") + parts.joined(separator: "; ")
  }

  /// Rows of one instant in which tasks did nothing but run and wake others are told as one, each in a few words.
  private var folds: [Range<Int>] {
    var folds: [Range<Int>] = []
    for index in rows.indices {
      if let last = folds.last, isPlain(index), isPlain(last.lowerBound),
        rows[index].time == rows[last.lowerBound].time
      {
        folds[folds.count - 1] = last.lowerBound..<index + 1
      } else if let last = folds.last, last.count == 1, isWoken(index, by: last.lowerBound) {
        folds[folds.count - 1] = last.lowerBound..<index + 1
      } else {
        folds.append(index..<index + 1)
      }
    }
    return folds
  }

  private func isPlain(_ index: Int) -> Bool {
    rows[index].task != nil && rows[index].deeds.isEmpty && rows[index].preempted == nil
  }

  /// Whether a task runs at once for whom the clock has just fired a timer, and for nobody else.
  private func isWoken(_ index: Int, by clock: Int) -> Bool {
    rows[clock].task == nil && rows[clock].firing == .idle && rows[index].preempted == nil
      && rows[clock].woken == [rows[index].task]
  }

  private func words(_ fold: Range<Int>) -> String {
    var row = rows[fold.lowerBound]
    guard fold.count > 1 else { return words(row) }
    if row.task == nil {
      let timer = row.deeds.first?.firstMatch(of: #/^timer \d+/#).map { "\($0.0) fires" }
      row = rows[fold.lowerBound + 1]
      row.deeds.insert(timer ?? "a timer fires", at: 0)
      return words(row)
    }
    let parts = fold.map { index in
      let woken = rows[index].woken.map(name).joined(separator: ", ")
      return (rows[index].task.map(name) ?? "") + (woken.isEmpty ? "" : " → \(woken)")
    }
    return "run: " + parts.joined(separator: "; ")
  }

  /// A task's lane in some rows.
  private func mark(of task: Int, in fold: Range<Int>) -> String {
    if rows[fold].contains(where: { $0.task == task }) { return "●" }
    if rows[fold].contains(where: { $0.woken.contains(task) }) { return "○" }
    let isInvolved = { (row: Row) in row.task == task || row.woken.contains(task) }
    let (before, after) = (rows[..<fold.lowerBound], rows[fold.upperBound...])
    guard before.contains(where: isInvolved) else { return " " }
    return stuck.contains(task) || after.contains(where: isInvolved) ? "│" : " "
  }
}
