#if os(Linux)
import CLibcurlLoop
import Foundation
import StoicHTTP

/// What GETs on loopback cost, 32 callers at a time and one, over each transport and over a plain loop in C.
///
/// - `http.loopback.curl`, `.urlsession`, `.c_libcurl`: requests per second with 32 callers, the ratio to URLSession's of the
///   same round, and for URLSession to the loop's; `.cpu` microseconds of this process for a request, and their ratio.
/// - `http.loopback_alone.…`: the same with one caller.
///
/// The server is a process of its own, so that what it costs is not counted; it shares the machine.
func loopbackFigures() throws -> [Figure] {
  let server = try ServerProcess()
  defer { server.end() }
  return try [(32, "http.loopback"), (1, "http.loopback_alone")].flatMap { callers, name in
    try figures(of: name, callers: callers, server.url)
  }
}

private struct Load: Sendable {
  let name: String
  /// Makes so many requests, and returns how many were answered.
  let run: @Sendable (Int) async throws -> Int
}

private struct Sample {
  let rate: Double
  let cpu: Double
}

private func figures(of name: String, callers: Int, _ url: URL) throws -> [Figure] {
  let loads = [
    Load(name: "curl", over: try CurlTransport(), callers: callers, url),
    Load(name: "urlsession", over: URLSessionTransport(), callers: callers, url),
    Load(name: "c_libcurl") { stoic_libcurl_loop(url.absoluteString, Int32(callers), $0) },
  ]
  let counts = [callers == 1 ? 2_000 : 6_400, callers == 1 ? 500 : 960, callers == 1 ? 4_000 : 9_600]
  var samples = [[Sample]](repeating: [], count: loads.count)
  for round in 0..<8 {
    for (index, load) in loads.enumerated() {
      let sample = try sample(load, counts[index])
      // The first round opens the connections.
      if round > 0 { samples[index].append(sample) }
    }
  }
  return loads.indices.flatMap { index -> [Figure] in
    let other = index == 1 ? 2 : 1
    let against = "\(name).\(loads[other].name)"
    return [
      Figure(
        "\(name).\(loads[index].name)", unit: "1/s", samples[index].map(\.rate), against: against,
        samples[other].map(\.rate)),
      Figure(
        "\(name).\(loads[index].name).cpu", unit: "us", samples[index].map(\.cpu), against: "\(against).cpu",
        samples[other].map(\.cpu)),
    ]
  }
}

private func sample(_ load: Load, _ count: Int) throws -> Sample {
  let clock = ContinuousClock()
  let (start, before) = (clock.now, processorSeconds())
  let answered = try waiting { try await load.run(count) }
  let (elapsed, used) = (clock.now - start, processorSeconds() - before)
  guard answered == count else {
    throw Surprise(what: "\(load.name) had \(answered) answers to \(count) requests")
  }
  return Sample(rate: Double(count) / (elapsed / .seconds(1)), cpu: used / Double(count) * 1_000_000)
}

/// The processor time of this process so far.
private func processorSeconds() -> Double {
  var usage = rusage()
  getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
  let seconds = { (time: timeval) in Double(time.tv_sec) + Double(time.tv_usec) / 1_000_000 }
  return seconds(usage.ru_utime) + seconds(usage.ru_stime)
}

extension Load {
  fileprivate init(name: String, over transport: some HTTPTransport, callers: Int, _ url: URL) {
    self.init(name: name) { count in
      let request = TransportRequest(
        method: .get, url: url, headers: ["Accept": "*/*", "User-Agent": "bench"], timeout: .seconds(30),
        mayRepeat: true)
      return try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<callers {
          group.addTask {
            var answered = 0
            for _ in 0..<(count / callers) {
              answered += try await transport.send(request, maxResponseBytes: 1_000).status == 200 ? 1 : 0
            }
            return answered
          }
        }
        return try await group.reduce(0, +)
      }
    }
  }
}
#endif
