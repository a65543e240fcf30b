import Foundation
import Stoic

/// Reads `Retry-After` fields (tag `r`), beside `Date` fields (`d`), at a time of day in quarters of a second
/// (`w`).
func fuzzRetryAfter(_ pieces: [Piece]) {
  var waits: [String] = []
  var dates: [String] = []
  var quarters = 7_137_360_000
  for piece in pieces {
    switch piece.tag {
    case "r": waits.append(piece.text)
    case "d": dates.append(piece.text)
    case "w": quarters = Int(piece.text) ?? quarters
    default: continue
    }
  }
  quarters = min(max(quarters, -4_000_000_000_000), 4_000_000_000_000)
  for text in waits + dates { checkDate(text, now: quarters / 4) }
  checkWaits(waits, dates, quarters)
}

private func checkDate(_ text: String, now: Int) {
  let seconds = HTTPDate(text, now: { now })?.seconds
  let second = SecondReader(now: now).seconds(ofDate: text)
  demand(seconds == second, "a date is \(seconds as Any) to one and \(second as Any) to the other")
}

private func checkWaits(_ waits: [String], _ dates: [String], _ quarters: Int) {
  let wait = read(waits, dates, quarters)
  demand(
    wait.map { (Duration.zero...Duration.longest).contains($0) } ?? true, "\(wait as Any) is out of bounds")
  let second = SecondReader.wait(waits, dates, quarters)
  demand(wait == second, "a wait is \(wait as Any) to one and \(second as Any) to the other")
  demand(read(waits.reversed(), dates.reversed(), quarters) == wait, "the order of fields matters")
  for text in waits {
    guard let alone = read([text], dates, quarters) else { continue }
    demand(read([" \t\(text)\t  "], dates, quarters) == alone, "blanks matter")
    demand(read(["\(text),\(text)"], dates, quarters) == alone, "a value joined with itself is another")
    demand(alone <= wait ?? .zero, "not the longest wait")
  }
}

private func read(_ waits: [String], _ dates: [String], _ quarters: Int) -> Duration? {
  let names = ["Retry-After", "retry-after", "RETRY-AFTER"]
  var headers = HTTPHeaders()
  for (index, text) in waits.enumerated() { headers.add(names[index % 3], text) }
  for text in dates { headers.add("Date", text) }
  headers.add("Retry-After-Hint", "1000000")
  var asked = 0
  let wait = RetryAfter.wait(in: headers) {
    asked += 1
    return Date(timeIntervalSince1970: Double(quarters) / 4)
  }
  demand(
    asked == 0 || !waits.allSatisfy { $0.utf8.allSatisfy { $0 < 58 } }, "the clock is read without a date")
  return wait
}
