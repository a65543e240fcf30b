import StoicHTTP

extension Check {
  /// Which requests share a connection, by nginx's own count.
  static let nginxConnections: [Check] = [
    Check("nginx: twenty GETs in a row take one connection", needs: [.nginx]) { probe in
      let nginx = probe.nginx()
      for _ in 0..<20 { try probe.expect(await nginx.ask(.get("/small.txt")).ending, .success(200)) }
      let arrivals = try await probe.wire(.nginx, 20)
      try probe.expect(Set(arrivals.map(\.connection)).count, 1)
      try probe.expect(arrivals.map { $0["ordinal"] }, (1...20).map { "\($0)" })
    },
    Check("nginx: a server that ends each connection is asked on as many", needs: [.nginx]) { probe in
      let nginx = probe.nginx()
      for _ in 0..<6 {
        let answer = await nginx.ask(.get("/closing.txt"))
        try probe.expect(answer.ending, .success(200))
        try probe.expect(answer.attempts, 1)
      }
      try probe.expect(Set(try await probe.wire(.nginx, 6).map(\.connection)).count, 6)
    },
    Check("nginx: a connection that takes five requests is replaced after five", needs: [.nginx]) { probe in
      let nginx = probe.nginx()
      for _ in 0..<12 {
        let answer = await nginx.ask(.get("/five.txt"))
        try probe.expect(answer.ending, .success(200))
        try probe.expect(answer.attempts, 1)
      }
      try probe.expect(Set(try await probe.wire(.nginx, 12).map(\.connection)).count, 3)
    },
    Check("nginx: a connection that idled too long is replaced, not failed on", needs: [.nginx]) { probe in
      let nginx = probe.nginx()
      for _ in 0..<3 {
        let answer = await nginx.ask(.get("/idle.txt"))
        try probe.expect(answer.ending, .success(200))
        try probe.expect(answer.attempts, 1)
        try await Task.sleep(for: .milliseconds(400))
      }
      try probe.expect(Set(try await probe.wire(.nginx, 3).map(\.connection)).count, 3)
    },
    Check("nginx: an error's answer does not cost the connection", needs: [.nginx]) { probe in
      let nginx = probe.nginx()
      for path in ["/small.txt", "/no-such-file", "/small.txt", "/no-such-file"] {
        _ = await nginx.ask(.get(path))
      }
      let arrivals = try await probe.wire(.nginx, 4)
      try probe.expect(arrivals.map(\.status), [200, 404, 200, 404])
      try probe.expect(Set(arrivals.map(\.connection)).count, 1)
    },
    Check("nginx: of forty GETs at once eight are with the server, which takes no more", needs: [.nginx]) {
      probe in
      let nginx = probe.nginx()
      let answers = await nginx.askAll((0..<40).map { .get("/eight.txt", query: ["n": "\($0)"]) })
      try probe.expect(Set(answers.map(\.body)), [try probe.site.file("text.txt")])
      let arrivals = try await probe.wire(.nginx, 40)
      try probe.expect(Set(arrivals.map(\.target)).count, 40)
      try probe.expect(Set(arrivals.map(\.status)), [200])
    },
    Check("nginx: forty of the same GET at once are one request", needs: [.nginx]) { probe in
      let answers = await probe.nginx().askAll(Array(repeating: .get("/alone.txt"), count: 40))
      try probe.expect(answers.allSatisfy { $0.ending == answers[0].ending }, true)
      try probe.expect(answers[0].ending, .success(200))
      let text = try probe.site.file("text.txt")
      try probe.expect(answers.allSatisfy { $0.body == text }, true)
      try await probe.wire(.nginx, 1)
    },
    Check("nginx: a POST leaves no connection behind that a later one could die on", needs: [.nginx]) {
      probe in
      let nginx = probe.nginx()
      for _ in 0..<4 { try probe.expect(await nginx.ask(.post("/order")).ending, .success(201)) }
      let arrivals = try await probe.wire(.nginx, 4)
      try probe.expect(
        Set(arrivals.map(\.connection)).count, 4,
        limit: .curl(1, "a POST may use a kept connection, since it is not sent again when that dies"))
    },
    Check("nginx: a caller who leaves ends the request at the server too", needs: [.nginx]) { probe in
      let nginx = probe.nginx { $0.maxResponseBytes = 300_000_000 }
      let task = Task { await nginx.ask(.get("/paced.bin")) }
      // Until the server is at it: there is nothing to leave before.
      try await Task.sleep(for: .milliseconds(500))
      task.cancel()
      try probe.expect(await task.value.ending, .cancelled)
      let arrivals = try await probe.wire(.nginx, 1)
      try probe.expect(arrivals.allSatisfy { $0.sent < 64_000_000 }, true)
    },
  ]
}
