import Foundation

/// What the process holds at a moment: from the system, not from what the program believes.
struct Figures {
  let memory: Int
  let threads: Int
  let descriptors: Int
  let processor: Double

  static func now() -> Figures {
    let lines =
      (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8))?.split(separator: "\n") ?? []
    func number(_ name: String) -> Int {
      let line = lines.first { $0.hasPrefix(name + ":") } ?? ""
      return line.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) } ?? 0
    }
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Figures(
      memory: number("VmRSS") * 1024, threads: number("Threads"),
      descriptors: (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0,
      processor: Double(time.tv_sec) + Double(time.tv_nsec) / 1e9)
  }
}

/// Prints figures as they come, each with what was done by then.
struct Report {
  private let began = ContinuousClock.now
  private(set) var last: (done: Int, figures: Figures, at: ContinuousClock.Instant)?

  static let heading = "what                     done   RSS MB  threads  fds     req/s  CPU us/req"

  mutating func note(_ what: String, done: Int) -> Figures {
    let figures = Figures.now()
    let at = ContinuousClock.now
    var line = pad(what, 20) + pad(done, -9) + pad(megabytes(figures.memory), -9) + pad(figures.threads, -9)
    line += pad(figures.descriptors, -5)
    if let last, done > last.done {
      let count = Double(done - last.done)
      let seconds = (at - last.at) / .seconds(1)
      line += pad(Int(count / seconds), -10)
      line += pad(Int((figures.processor - last.figures.processor) / count * 1e6), -12)
    }
    print(line)
    fflush(nil)
    last = (done, figures, at)
    return figures
  }

  private func megabytes(_ bytes: Int) -> String { String(format: "%.1f", Double(bytes) / 1_048_576) }

  private func pad(_ value: some CustomStringConvertible, _ width: Int) -> String {
    let text = value.description
    let blanks = String(repeating: " ", count: max(0, abs(width) - text.count))
    return width < 0 ? blanks + text : text + blanks
  }
}
