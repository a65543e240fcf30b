import StoicHTTP

extension Check {
  /// Bodies that are packed, in chunks, or made as they go.
  static let httpbinEncodings: [Check] = [
    Check("httpbin: gzip is unpacked", needs: [.httpbin]) { probe in
      let answer = await probe.httpbin().ask(.get("/gzip"))
      try probe.expect(answer.json["gzipped"], true)
      try await probe.wire(.httpbin, 1)
    },
    Check("httpbin: deflate is unpacked", needs: [.httpbin]) { probe in
      let answer = await probe.httpbin().ask(.get("/deflate"))
      try probe.expect(answer.json["deflated"], true)
      try await probe.wire(.httpbin, 1)
    },
    Check("httpbin: brotli is unpacked", needs: [.httpbin]) { probe in
      let answer = await probe.httpbin().ask(.get("/brotli"))
      try probe.expect(
        answer.json["brotli"], true,
        limit: .curl(nil, "it asks for gzip and deflate, and understands no brotli that comes all the same"))
      try await probe.wire(
        .httpbin, 1, reported: probe.transport == .curl ? 3 : 1,
        limit: .curl(3, "what cannot be unpacked is asked for again"))
    },
    Check("httpbin: the limit is for unpacked bytes here too", needs: [.httpbin]) { probe in
      let answer = await probe.httpbin { $0.maxResponseBytes = 100 }.ask(.get("/gzip"))
      try probe.expect(answer.ending, .tooLarge(100))
      try await probe.wire(.httpbin, 1)
    },
    Check("httpbin: a stream of lines arrives whole, in chunks", needs: [.httpbin]) { probe in
      let answer = await probe.httpbin().ask(.get("/stream/50"))
      let lines = try answer.text.split(separator: "\n").map { try JSON(parsing: String($0)) }
      try probe.expect(lines.map { $0["id"]?.int }, Array(0..<50))
      try probe.expect(answer["Content-Length"], nil)
      try await probe.wire(.httpbin, 1)
    },
    Check("httpbin: a stream of small chunks is the bytes of one body", needs: [.httpbin]) { probe in
      let httpbin = probe.httpbin()
      let streamed = await httpbin.ask(
        .get("/stream-bytes/50000", query: ["seed": "7", "chunk_size": "333"]))
      let whole = await httpbin.ask(.get("/bytes/50000", query: ["seed": "7"]))
      try probe.expect(streamed.body.count, 50_000)
      try probe.expect(streamed.body, whole.body)
      try await probe.wire(.httpbin, 2)
    },
    Check("httpbin: a stream over the limit ends there", needs: [.httpbin]) { probe in
      let httpbin = probe.httpbin { $0.maxResponseBytes = 10_000 }
      let answer = await httpbin.ask(.get("/stream-bytes/100000", query: ["chunk_size": "500"]))
      try probe.expect(answer.ending, .tooLarge(10_000))
      try await probe.wire(.httpbin, 1)
    },
    Check("httpbin: a field that comes twice is not lost", needs: [.httpbin]) { probe in
      let answer = await probe.httpbin().ask(.get("/response-headers", query: ["X-Two": "a", "X-Two": "b"]))
      try probe.expect(
        answer.response?.headers.values(for: "X-Two"), ["a", "b"],
        limit: .urlsession(["a, b"], "repeated fields of one name arrive joined"))
      try await probe.wire(.httpbin, 1)
    },
  ]
}
