import StoicHTTP

extension Check {
  /// Conditions and ranges.
  static let httpbinConditions: [Check] = [
    Check("httpbin: an entity tag that matches is answered 304", needs: [.httpbin]) { probe in
      let httpbin = probe.httpbin()
      let first = await httpbin.ask(.get("/etag/abc"))
      try probe.expect(first["ETag"], "abc")
      let second = await httpbin.ask(.get("/etag/abc").header("If-None-Match", "abc"))
      try probe.expect(second.ending, .status(304))
      try await probe.wire(.httpbin, 2)
    },
    Check("httpbin: an entity tag that does not match brings the body", needs: [.httpbin]) { probe in
      let answer = await probe.httpbin().ask(.get("/etag/abc").header("If-None-Match", "\"other\""))
      try probe.expect(answer.ending, .success(200))
      try await probe.wire(.httpbin, 1)
    },
    Check("httpbin: a condition that fails is 412, and asked for once", needs: [.httpbin]) { probe in
      let answer = await probe.httpbin().ask(.get("/etag/abc").header("If-Match", "\"other\""))
      try probe.expect(answer.ending, .status(412))
      try await probe.wire(.httpbin, 1)
    },
    Check("httpbin: what has not changed is 304", needs: [.httpbin]) { probe in
      let answer = await probe.httpbin().ask(
        .get("/cache").header("If-Modified-Since", "Mon, 30 Nov 2026 12:00:00 GMT"))
      try probe.expect(answer.ending, .status(304))
      try await probe.wire(.httpbin, 1)
    },
    Check("httpbin: a range is a 206 with those bytes", needs: [.httpbin]) { probe in
      let answer = await probe.httpbin().ask(.get("/range/100").header("Range", "bytes=26-51"))
      try probe.expect(answer.ending, .success(206))
      try probe.expect(answer.text, "abcdefghijklmnopqrstuvwxyz")
      try probe.expect(answer["Content-Range"], "bytes 26-51/100")
      try await probe.wire(.httpbin, 1)
    },
    Check("httpbin: a range from the end is a 206 with those bytes", needs: [.httpbin]) { probe in
      let answer = await probe.httpbin().ask(.get("/range/52").header("Range", "bytes=-3"))
      try probe.expect(answer.text, "xyz")
      try await probe.wire(.httpbin, 1)
    },
    Check("httpbin: a range that there is not is 416", needs: [.httpbin]) { probe in
      let answer = await probe.httpbin().ask(.get("/range/52").header("Range", "bytes=90-99"))
      try probe.expect(answer.ending, .status(416))
      try await probe.wire(.httpbin, 1)
    },
    Check("httpbin: a range that comes slowly in chunks is whole", needs: [.httpbin]) { probe in
      let answer = await probe.httpbin().ask(.get("/range/1000?duration=0.3&chunk_size=100"))
      try probe.expect(answer.ending, .success(200))
      try probe.expect(answer.body, (0..<1000).map { UInt8(97 + $0 % 26) })
      try await probe.wire(.httpbin, 1)
    },
  ]
}
