import StoicHTTP

extension Check {
  /// "hello" as gzip of PyPI's zlib has it.
  private static let packed: [UInt8] = [
    0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 2, 0xFF, 0xCB, 0x48, 0xCD, 0xC9, 0xC9, 7, 0, 0x86, 0xA6, 0x10, 0x36, 5, 0,
    0, 0,
  ]

  private static func fates(_ probe: Probe, _ bodies: [(coding: String, body: [UInt8])]) async throws
    -> [Fate]
  {
    let server = probe.rawOnce()
    let answers = await server.askAll(
      bodies.map { coding, body in
        let head = "HTTP/1.1 200 OK|Content-Encoding: \(coding)|Content-Length: \(body.count)||"
        return .get(Script().say(head).say(body).end().path)
      })
    try await probe.wire(.raw, bodies.count)
    return answers.map(Fate.init)
  }

  /// Packed bodies, to the byte.
  static let rawCodings: [Check] = [
    Check("raw: gzip that another program made is unpacked", needs: [.raw]) { probe in
      try probe.expect(
        try await fates(probe, [("gzip", packed), ("x-gzip", packed)]), [.text("hello"), .text("hello")])
    },
    Check("raw: several gzip files in a row are one body", needs: [.raw], only: .curl) { probe in
      try probe.expect(try await fates(probe, [("gzip", packed + packed)]), [.text("hellohello")])
    },
    Check("raw: gzip of gzip is unpacked", needs: [.raw]) { probe in
      let server = probe.raw()
      for depth in 2...5 {
        let codings = Array(repeating: "gzip", count: depth).joined(separator: ", ")
        let answer = await server.ask(
          .get(
            Script().say("HTTP/1.1 200 OK|Content-Encoding: \(codings)||").gzip(
              "hello", times: 100_000, depth: depth
            ).end().path))
        try probe.expect(answer.body.count, 500_000)
      }
      try await probe.wire(.raw, 4)
    },
    Check("raw: broken gzip is no success", needs: [.raw]) { probe in
      let checksum = packed.enumerated().map { $0.offset == 18 ? $0.element ^ 1 : $0.element }
      let block = packed.enumerated().map { $0.offset == 10 ? 0xFF : $0.element }
      let magic = packed.enumerated().map { $0.offset == 1 ? 0 : $0.element }
      let bodies = [
        ("gzip", checksum), ("gzip", block), ("gzip", magic), ("gzip", Array("hello".utf8)),
        ("made-up", packed),
      ]
      try probe.expect(try await fates(probe, bodies), bodies.map { _ in .packedBadly })
    },
    Check(
      "raw: gzip that is cut at any byte, its length satisfied, is no success", needs: [.raw], only: .curl
    ) {
      probe in
      let bodies = (1..<packed.count).map { ("gzip", Array(packed.prefix($0))) }
      try probe.expect(try await fates(probe, bodies), bodies.map { _ in .packedBadly })
    },
    Check("raw: gzip with something behind it is no success", needs: [.raw], only: .curl) { probe in
      let bodies = [[0], Array("hello".utf8), Array(packed.prefix(9))].map { ("gzip", packed + $0) }
      try probe.expect(try await fates(probe, bodies), bodies.map { _ in .packedBadly })
    },
  ]
}
