import StoicHTTP

extension Check {
  /// Files as nginx serves them.
  static let nginxFiles: [Check] = [
    Check("nginx: a small file arrives byte for byte", needs: [.nginx]) { probe in
      let answer = await probe.nginx().ask(.get("/small.txt"))
      try probe.expect(answer.ending, .success(200))
      try probe.expect(answer.body, try probe.site.file("small.txt"))
      try probe.expect(answer.response?.mediaType, "text/plain")
      try probe.expect(answer["Content-Length"], "6")
      try await probe.wire(.nginx, 1)
    },
    Check("nginx: an empty file is a success without a byte", needs: [.nginx]) { probe in
      let answer = await probe.nginx().ask(.get("/empty.txt"))
      try probe.expect(answer.ending, .success(200))
      try probe.expect(answer.body, [])
      try await probe.wire(.nginx, 1)
    },
    Check("nginx: twenty million random bytes arrive as they are", needs: [.nginx]) { probe in
      let answer = await probe.nginx { $0.maxResponseBytes = 20_000_000 }.ask(.get("/large.bin"))
      try probe.expect(answer.ending, .success(200))
      try probe.expect(answer.body, try probe.site.file("large.bin"))
      try probe.expect(try await probe.wire(.nginx, 1).map(\.sent), [20_000_000])
    },
    Check("nginx: one byte over the limit is too large, and asked for once", needs: [.nginx]) { probe in
      let answer = await probe.nginx { $0.maxResponseBytes = 19_999_999 }.ask(.get("/large.bin"))
      try probe.expect(answer.ending, .tooLarge(19_999_999))
      try await probe.wire(.nginx, 1)
    },
    Check("nginx: a file over the limit is not read to its end", needs: [.nginx]) { probe in
      let answer = await probe.nginx().ask(.get("/paced.bin"))
      try probe.expect(answer.ending, .tooLarge(10_000_000))
      let sent = try await probe.wire(.nginx, 1).map(\.sent)
      // The server paces itself at 8 MiB a second, so that what it sent tells when it was left.
      try probe.expect(sent.allSatisfy { $0 < 64_000_000 }, true)
    },
    Check("nginx: HEAD brings the length of a large file and none of it", needs: [.nginx]) { probe in
      let answer = await probe.nginx().ask(.head("/huge.bin"))
      try probe.expect(answer.ending, .success(200))
      try probe.expect(answer["Content-Length"], "268435456")
      try probe.expect(answer.body, [])
      try probe.expect(try await probe.wire(.nginx, 1).map(\.sent), [0])
    },
    Check("nginx: a range is that part of the file", needs: [.nginx]) { probe in
      let answer = await probe.nginx().ask(.get("/large.bin").header("Range", "bytes=1000000-1000999"))
      try probe.expect(answer.ending, .success(206))
      try probe.expect(answer.body, [UInt8](try probe.site.file("large.bin")[1_000_000..<1_001_000]))
      try probe.expect(answer["Content-Range"], "bytes 1000000-1000999/20000000")
      try await probe.wire(.nginx, 1)
    },
    Check("nginx: a range beyond the end is 416, and asked for once", needs: [.nginx]) { probe in
      let answer = await probe.nginx().ask(.get("/small.txt").header("Range", "bytes=100-200"))
      try probe.expect(answer.ending, .status(416))
      try await probe.wire(.nginx, 1)
    },
    Check("nginx: an entity tag that still holds is answered 304, without a body", needs: [.nginx]) { probe in
      let nginx = probe.nginx()
      let first = await nginx.ask(.get("/small.txt"))
      let second = await nginx.ask(.get("/small.txt").header("If-None-Match", first["ETag"] ?? ""))
      try probe.expect(second.ending, .status(304))
      try probe.expect(second.excerpt, "")
      try probe.expect(try await probe.wire(.nginx, 2).map(\.status), [200, 304])
    },
    Check("nginx: a date that still holds is answered 304", needs: [.nginx]) { probe in
      let nginx = probe.nginx()
      let first = await nginx.ask(.get("/small.txt"))
      let second = await nginx.ask(
        .get("/small.txt").header("If-Modified-Since", first["Last-Modified"] ?? ""))
      try probe.expect(second.ending, .status(304))
      try probe.expect(try await probe.wire(.nginx, 2).map(\.status), [200, 304])
    },
    Check("nginx: blanks and accents of a path find their file", needs: [.nginx]) { probe in
      let answer = await probe.nginx().ask(.get("/café au lait.txt"))
      try probe.expect(answer.text, "coffee\n")
      try probe.expect(
        try await probe.wire(.nginx, 1).map(\.target), ["/caf%C3%A9%20au%20lait.txt"])
    },
    Check("nginx: a file of JSON decodes by a schema", needs: [.nginx]) { probe in
      let schema: Schema<Int> = .object({ $0 }, .field("id", \.self, .int))
      let value = try await probe.nginx().client.send(.get("/value.json"), decoding: schema)
      try probe.expect(value, 42)
      try await probe.wire(.nginx, 1, reported: 0)
    },
  ]
}
