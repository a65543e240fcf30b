import Foundation
import StoicHTTP

/// Numbers that are the same in every run.
private struct Dice: RandomNumberGenerator {
  var state: UInt64

  // The generator of SplitMix.
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

extension Check {
  /// Responses that end by themselves, and what of them is left when a byte is missing.
  private static let whole: [(bytes: String, text: String)] = [
    ("HTTP/1.1 200 OK|Content-Type: text/plain|Content-Length: 5||hello", "hello"),
    ("HTTP/1.1 200 OK|Transfer-Encoding: chunked||5|hello|6;a=b| world|0||", "hello world"),
    ("HTTP/1.1 200 OK|Transfer-Encoding: chunked||5|hello|0|X-Check: 1|X-More: 2||", "hello"),
    ("HTTP/1.1 103 Early|Link: a||HTTP/1.1 100 c||HTTP/1.1 200 OK|X: a| b|Content-Length: 5||hello", "hello"),
    ("HTTP/1.1 200 OK\nContent-Length: 5\nX:y\n\nhello", "hello"),
  ]

  /// How many rounds of noise there are: one, unless somebody wants to see more of it.
  private static let rounds = ProcessInfo.processInfo.environment["INTEROP_ROUNDS"].flatMap { Int($0) } ?? 1

  private static func fates(_ probe: Probe, _ scripts: [Script]) async -> [Fate] {
    let server = probe.rawOnce { $0.attemptTimeout = .seconds(20) }
    return await server.askAll(scripts.map { .get($0.path) }).map(Fate.init)
  }

  /// What is wrong with what became of noise: anything goes but a failure without a meaning, or none at all.
  private static func complaints(_ fates: [Fate], _ responses: [[UInt8]]) -> [String] {
    zip(fates, responses).compactMap { fate, bytes in
      guard case .other = fate else { return nil }
      return "\(fate) of \(Data(bytes).base64EncodedString())"
    }
  }

  /// Responses cut and split at every byte, altered, and made of noise.
  static let rawNoise: [Check] = [
    Check(
      "raw: a response that is cut after any of its bytes is a lost connection", needs: [.raw], only: .curl
    ) {
      probe in
      var wrong: [String] = []
      let before = try await probe.sight().requests
      for (bytes, text) in whole {
        let bytes = Script.bytes(bytes)
        let fates = await fates(probe, (0...bytes.count).map { Script().say(bytes.prefix($0)).end() })
        // Without the very last line feed of its chunks a body is all there, and libcurl takes it.
        let enough = bytes.count - (bytes.suffix(4) == [13, 10, 13, 10] ? 1 : 0)
        for (count, fate) in fates.enumerated() where fate != (count >= enough ? .text(text) : .lost) {
          wrong.append("\(fate) of \(String(decoding: bytes.prefix(count), as: UTF8.self))")
        }
      }
      try probe.expect(wrong, [])
      try probe.expect(
        try await probe.sight().requests - before, whole.reduce(0) { $0 + Script.bytes($1.bytes).count + 1 })
    },
    Check("raw: a response may be split between any of its bytes", needs: [.raw], only: .curl) { probe in
      for (bytes, text) in whole {
        let bytes = Script.bytes(bytes)
        let scripts = (1..<bytes.count).map {
          Script().say(bytes.prefix($0)).wait(milliseconds: 2).say(bytes.dropFirst($0))
        }
        let byByte = bytes.reduce(Script()) { $0.say([$1]) }
        try probe.expect(Set(await fates(probe, scripts + [byByte]).map { "\($0)" }), ["\(Fate.text(text))"])
      }
    },
    Check("raw: altered responses and noise have an end and a meaning", needs: [.raw], only: .curl) { probe in
      var dice = Dice(state: 7)
      for _ in 0..<rounds {
        var responses: [[UInt8]] = []
        for _ in 0..<300 {
          responses.append(
            (0..<Int.random(in: 1...300, using: &dice)).map { _ in UInt8.random(in: 0...255, using: &dice) })
        }
        for number in 0..<900 {
          var bytes = Script.bytes(whole[number % whole.count].bytes)
          for _ in 0..<Int.random(in: 1...3, using: &dice) {
            let place = Int.random(in: 0..<bytes.count, using: &dice)
            switch Int.random(in: 0..<4, using: &dice) {
            case 0: bytes[place] = UInt8.random(in: 0...255, using: &dice)
            case 1: bytes.remove(at: place)
            case 2: bytes.insert(UInt8.random(in: 0...255, using: &dice), at: place)
            default:
              bytes.insert(
                contentsOf: bytes[place...].prefix(Int.random(in: 1...30, using: &dice)), at: place)
            }
          }
          responses.append(bytes)
        }
        let scripts = responses.map { bytes in
          let cut = Int.random(in: 0...bytes.count, using: &dice)
          return Script().say(bytes.prefix(cut)).say(bytes.dropFirst(cut)).end()
        }
        let fates = await fates(probe, scripts)
        try probe.expect(complaints(fates, responses), [])
      }
    },
    Check("raw: what comes after a response is not taken for the next one", needs: [.raw], only: .curl) {
      probe in
      let evil = "HTTP/1.1 200 OK|Content-Length: 4||evil"
      let rows: [(HTTPMethod, String)] = [
        (.get, "HTTP/1.1 200 OK|Content-Length: 5||hello"), (.get, "HTTP/1.1 200 OK|Content-Length: 0||"),
        (.get, "HTTP/1.1 204 No||"), (.get, "HTTP/1.1 304 Same||"),
        (.head, "HTTP/1.1 200 OK|Content-Length: 39||"),
        (.get, "HTTP/1.1 205 Reset|Content-Length: 0||"), (.get, "HTTP/1.1 205 Reset||"),
        (.get, "HTTP/1.1 200 OK|Transfer-Encoding: chunked||5|hello|0||"),
        (.get, "HTTP/1.1 200 OK|Transfer-Encoding: chunked||5|hello|0|X: a||"),
      ]
      var wrong: [String] = []
      for (method, response) in rows {
        for pieces in [
          [response + evil], [response, evil], [response + evil.prefix(20), String(evil.dropFirst(20))],
        ] {
          let server = probe.rawOnce()
          let script = pieces.reduce(Script()) { $0.say($1).wait(milliseconds: 10) }
          _ = await server.ask(HTTPRequest(method: method, path: script.path))
          try await Task.sleep(for: .milliseconds(30))
          for _ in 0..<2 {
            let next = Fate(
              await server.ask(.get(Script().say("HTTP/1.1 200 OK|Content-Length: 4||next").path)))
            if next != .text("next") {
              wrong.append("\(next) after \(method) \(response) in \(pieces.count)")
            }
          }
        }
      }
      try probe.expect(wrong, [])
    },
  ]
}
