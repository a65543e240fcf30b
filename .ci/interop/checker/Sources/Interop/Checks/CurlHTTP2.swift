import StoicHTTP

extension Check {
  /// HTTP/2 on libcurl: what servers do with streams, and what the client says of it.
  static let curlHTTP2: [Check] = [
    Check(
      "http2: interim responses, trailers, no body and odd fields are understood", needs: [.http2],
      only: .curl
    ) { probe in
      let server = probe.http2()
      for path in ["/interim", "/trailers", "/anything"] {
        let answer = await server.ask(.get(path))
        try probe.expect(answer.ending, .success(200))
        try probe.expect(answer.text, "small\n")
      }
      try probe.expect(await server.ask(.get("/trailers?again"))["x-after"], nil)
      try probe.expect(await server.ask(.get("/empty")).body, [])
      let odd = await server.ask(.get("/odd"))
      try probe.expect(odd.ending, .success(299))
      try probe.expect(odd.text, "small\n")
      try probe.expect(odd.response?.headers.values(for: "x-odd"), ["", "a"])
      let arrivals = try await probe.wire(.http2, 6)
      try probe.expect(Set(arrivals.map(\.connection)).count, 1)
    },
    Check("http2: many at once share one connection", needs: [.http2], only: .curl) { probe in
      let server = probe.http2()
      _ = await server.ask(.get("/first"))
      let answers = await server.askAll((0..<60).map { .get("/many", query: ["n": "\($0)"]) })
      try probe.expect(Set(answers.map(\.text)), ["small\n"])
      try probe.expect(Set(try await probe.wire(.http2, 61).map(\.connection)).count, 1)
    },
    Check(
      "http2: a stream refused by a server not known yet is a lost one, which the client repeats",
      needs: [.http2], only: .curl
    ) { probe in
      let answer = await probe.http2().ask(.get("/refused-once", query: ["by": probe.agent]))
      try probe.expect(answer.ending, .success(200))
      try probe.expect(answer.attempts, 2)
      try await probe.wire(.http2, 2)
    },
    Check(
      "http2: a stream refused by a known server is repeated below the client, and counted", needs: [.http2],
      only: .curl
    ) {
      probe in
      let server = probe.http2 { $0.retry.maxAttempts = 1 }
      _ = await server.ask(.get("/first"))
      let answer = await server.ask(.get("/refused-once", query: ["by": probe.agent]))
      try probe.expect(answer.ending, .success(200))
      try probe.expect(answer.attempts, 2)
      try await probe.wire(.http2, 3)
    },
    Check(
      "http2: a server that refuses each stream saw what the client reports, and no more", needs: [.http2],
      only: .curl
    ) {
      probe in
      let server = probe.http2()
      _ = await server.ask(.get("/first"))
      let answer = await server.ask(.get("/refused"))
      try probe.expect(answer.ending, .transport(.networkConnectionLost))
      try probe.expect(answer.error?.attempts, answer.attempts)
      try probe.expect(answer.attempts > 3, true)
      try await probe.wire(.http2, 1 + answer.attempts)
    },
    Check(
      "http2: a goodbye that leaves a stream out costs an attempt, and no failure", needs: [.http2],
      only: .curl
    ) { probe in
      let server = probe.http2()
      _ = await server.ask(.get("/first"))
      let answer = await server.ask(.get("/goodbye-once", query: ["by": probe.agent]))
      try probe.expect(answer.ending, .success(200))
      try probe.expect(answer.attempts, 2)
      try await probe.wire(.http2, 3)
    },
    Check(
      "http2: what breaks off is a lost connection, and the server saw what the client reports",
      needs: [.http2], only: .curl
    ) { probe in
      var reported = 0
      for path in ["/broken", "/short", "/half", "/dropped", "/reset"] {
        for isWarm in [false, true] {
          let server = probe.http2()
          if isWarm { reported += await server.ask(.get("/first")).attempts }
          let answer = await server.ask(.get(path))
          try probe.expect(answer.ending, .transport(.networkConnectionLost))
          try probe.expect(answer.error?.call.mayHaveActed, true)
          reported += answer.attempts
        }
      }
      try await probe.wire(.http2, reported)
    },
    Check("http2: callers who leave hold up nobody else on their connection", needs: [.http2], only: .curl) {
      probe in
      for warm in [false, true] {
        let server = probe.http2()
        if warm { _ = await server.ask(.get("/first")) }
        let staying = (0..<30).map { number in
          Task { await server.ask(.get("/stay", query: ["n": "\(number) \(warm)"])) }
        }
        let leaving = (0..<30).map { number in
          Task { await server.ask(.get("/leave", query: ["n": "\(number) \(warm)"])) }
        }
        for (number, task) in leaving.enumerated() {
          if number % 3 == 0 { try await Task.sleep(for: .microseconds(300)) }
          task.cancel()
        }
        for task in staying { try probe.expect(await task.value.ending, .success(200)) }
        for task in leaving {
          let ending = await task.value.ending
          try probe.expect(ending == .cancelled || ending == .success(200), true)
        }
      }
      let arrivals = try await probe.arrivals(at: .http2, atLeast: 61).map(\.target)
      try probe.expect(arrivals.count { $0.hasPrefix("/stay") }, 60)
      try probe.expect(Set(arrivals).count, arrivals.count)
    },
    Check("http2: nginx ends connections under load, and no GET fails", needs: [.nginx, .tls], only: .curl) {
      probe in
      let nginx = probe.nginx("http2", scheme: "https", trusting: probe.site.authority) {
        $0.retry.maxAttempts = 1
      }
      _ = await nginx.ask(.get("/small.txt"))
      let answers = await nginx.askAll((0..<60).map { .get("/five.txt", query: ["n": "\($0)"]) })
      try probe.expect(answers.filter { $0.ending != .success(200) }.map(\.ending), [])
      let arrivals = try await probe.arrivals(at: .nginx, atLeast: 61)
      try probe.expect(Set(arrivals.map { $0["protocol"] }), ["HTTP/2.0"])
      // What it refuses it does not log.
      try probe.expect(Set(arrivals.map(\.target)).count, 61)
      try probe.expect(arrivals.count <= answers.reduce(1) { $0 + $1.attempts }, true)
    },
    Check(
      "http2: a POST to a server that offers it goes over HTTP/1.1, once", needs: [.nginx, .tls], only: .curl
    ) {
      probe in
      let nginx = probe.nginx("http2", scheme: "https", trusting: probe.site.authority)
      _ = await nginx.ask(.get("/small.txt"))
      for request in [HTTPRequest.post("/dropped", json: ["a": 1]), .patch("/dropped")] {
        try probe.expect(await nginx.ask(request).ending, .transport(.networkConnectionLost))
      }
      try probe.expect(
        try await probe.wire(.nginx, 3).map { $0["protocol"] }, ["HTTP/2.0", "HTTP/1.1", "HTTP/1.1"])
    },
  ]
}
