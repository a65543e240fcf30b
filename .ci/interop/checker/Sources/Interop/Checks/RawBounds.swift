import StoicHTTP

extension Check {
  private static let limit = 1_000_000
  private static let ok = "HTTP/1.1 200 OK|"

  /// Holds what became of an offer without end against what should, and how much of it left the server.
  private static func bounded(
    _ probe: Probe, _ scripts: [Script], as fate: Fate, within most: Int, timeout: Duration = .seconds(10)
  ) async throws {
    for script in scripts {
      let before = try await probe.sight().sent
      let server = probe.rawOnce {
        $0.maxResponseBytes = limit; $0.attemptTimeout = timeout
      }
      try probe.expect(Fate(await server.ask(.get(script.path))), fate)
      // The connection ends with the call, so that the server stops.
      var sight = try await probe.sight()
      for _ in 0..<500 where sight.open > 0 {
        try await Task.sleep(for: .milliseconds(10))
        sight = try await probe.sight()
      }
      try probe.expect(sight.open, 0)
      guard sight.sent - before <= most else {
        throw Mismatch(
          description: "\(sight.sent - before) bytes left the server, not at most \(most): \(script.path)")
      }
    }
    try await probe.wire(.raw, scripts.count)
  }

  /// What a server offers without end, and how much of that is taken.
  static let rawBounds: [Check] = [
    Check(
      "raw: of 2 GiB under a length that is over the limit hardly anything is read", needs: [.raw],
      only: .curl
    ) {
      probe in
      let offer = Script().say(ok + "Content-Length: 2147483648||").fill(
        String(repeating: "a", count: 1_024), times: 1 << 21)
      try await bounded(probe, [offer], as: .tooLong, within: 16 << 20)
    },
    Check(
      "raw: of 2 GiB without a length what is over the limit stays with the server", needs: [.raw],
      only: .curl
    ) {
      probe in
      let kilobyte = String(repeating: "a", count: 1_024)
      let offers = [
        Script().say(ok + "|").fill(kilobyte, times: 1 << 21),
        Script().say(ok + "Transfer-Encoding: chunked||").fill("400|\(kilobyte)|", times: 1 << 21),
        Script().say(ok + "Transfer-Encoding: chunked||80000000|").fill(kilobyte, times: 1 << 21),
      ]
      try await bounded(probe, offers, as: .tooLong, within: 24 << 20)
    },
    Check("raw: a bomb ends at the limit, packed once or often", needs: [.raw]) { probe in
      let server = probe.rawOnce { $0.maxResponseBytes = limit }
      for depth in 1...3 {
        let codings = Array(repeating: "gzip", count: depth).joined(separator: ", ")
        let bomb = Script().say(ok + "Content-Encoding: \(codings)||").gzip(
          "a", times: 20_000_000, depth: depth
        ).end()
        try probe.expect(Fate(await server.ask(.get(bomb.path))), .tooLong)
      }
      try await probe.wire(.raw, 3)
    },
    Check("raw: packed bytes that unpack to nothing have an end", needs: [.raw], only: .curl) { probe in
      // A name in the header of a gzip file, which goes on and on: packed again it is small.
      let header: [UInt8] = [0x1F, 0x8B, 8, 8, 0, 0, 0, 0, 0, 3]
      let endless = Script().say(ok + "Content-Encoding: gzip||").say(header).fill("aaaaaaaa", times: 1 << 27)
      try await bounded(probe, [endless], as: .packedBadly, within: 24 << 20)
    },
    Check("raw: a head without end is a bad response", needs: [.raw], only: .curl) { probe in
      let offers = [
        Script().fill("a", times: 1 << 27), Script().say("HTTP/1.1 200 ").fill("a", times: 1 << 27),
        Script().say(ok + "X: ").fill("a", times: 1 << 27),
        Script().say(ok).fill("X: aaaaaaaaa|", times: 1 << 24),
        Script().say(ok + "X: a|").fill(" a|", times: 1 << 25),
        Script().fill("HTTP/1.1 103 e|Link: a||", times: 1 << 23),
        Script().fill("HTTP/1.1 100 c||", times: 1 << 23),
        Script().say(ok + "Transfer-Encoding: chunked||0|").fill("X: aaaaaaaaa|", times: 1 << 24),
        Script().say(ok + "Transfer-Encoding: chunked||0|X: ").fill("a", times: 1 << 27),
        Script().say(ok + "Transfer-Encoding: chunked||").fill("0", times: 1 << 27),
      ]
      try await bounded(probe, offers, as: .senseless, within: 24 << 20)
    },
    Check("raw: what follows the size of a chunk has no bound but time", needs: [.raw], only: .curl) {
      probe in
      let endless = Script().say(ok + "Transfer-Encoding: chunked||5;").fill("a", times: 1 << 30)
      try await bounded(
        probe, [endless], as: .other("\(Ending.timedOut)"), within: .max, timeout: .milliseconds(100))
    },
    Check("raw: a response that does not come, or stops, ends at the timeout", needs: [.raw]) { probe in
      let starts = [
        "", "HTTP/1.1 200 OK|", ok + "Content-Length: 5||hel", ok + "Transfer-Encoding: chunked||5|hello|",
      ]
      let server = probe.rawOnce { $0.attemptTimeout = .milliseconds(300) }
      let answers = await server.askAll(
        starts.map { .get(Script().say($0).wait(milliseconds: 1_000).end().path) })
      try probe.expect(answers.map(\.ending), starts.map { _ in .timedOut })
      try await probe.wire(.raw, starts.count)
    },
  ]
}
