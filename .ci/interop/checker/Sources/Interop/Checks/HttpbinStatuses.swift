import StoicHTTP

extension Check {
  /// Statuses, and what the client makes of them.
  static let httpbinStatuses: [Check] = [
    Check("httpbin: 2xx is a success, each as it is", needs: [.httpbin]) { probe in
      let httpbin = probe.httpbin()
      for status in [200, 201, 202, 203, 204, 205] {
        try probe.expect(await httpbin.ask(.get("/status/\(status)")).ending, .success(status))
      }
      try await probe.wire(.httpbin, 6)
    },
    Check("httpbin: a 206 that nobody asked for is no success", needs: [.httpbin]) { probe in
      try probe.expect(await probe.httpbin().ask(.get("/status/206")).ending, .status(206))
      try await probe.wire(.httpbin, 1)
    },
    Check("httpbin: 4xx is an error and final", needs: [.httpbin]) { probe in
      let httpbin = probe.httpbin()
      let statuses = [400, 401, 402, 403, 404, 405, 406, 407, 409, 410, 411, 412, 413, 415, 418, 422, 451]
      for status in statuses {
        let answer = await httpbin.ask(.get("/status/\(status)"))
        try probe.expect(answer.ending, .status(status))
        try probe.expect(answer.attempts, 1)
      }
      try await probe.wire(.httpbin, statuses.count)
    },
    Check("httpbin: the six statuses that may pass are asked for three times", needs: [.httpbin]) { probe in
      for status in [408, 429, 500, 502, 503, 504] {
        let answer = await probe.httpbin().ask(.get("/status/\(status)"))
        try probe.expect(answer.ending, .status(status))
        try probe.expect(answer.attempts, 3)
      }
      try await probe.wire(.httpbin, 18)
    },
    Check("httpbin: other 5xx are final", needs: [.httpbin]) { probe in
      let httpbin = probe.httpbin()
      for status in [501, 505, 507, 511, 599] {
        try probe.expect(await httpbin.ask(.get("/status/\(status)")).ending, .status(status))
      }
      try await probe.wire(.httpbin, 5)
    },
    Check("httpbin: a POST that meets 500 is sent once, with a key three times", needs: [.httpbin]) { probe in
      let httpbin = probe.httpbin()
      try probe.expect(await httpbin.ask(.post("/status/500", json: [])).attempts, 1)
      try probe.expect(await httpbin.ask(.post("/status/500", json: []), key: "k-4").attempts, 3)
      try probe.expect(try await probe.wire(.httpbin, 4).map(\.key).sorted(), ["", "k-4", "k-4", "k-4"])
    },
    Check("httpbin: PUT and DELETE are repeated, a PATCH is not", needs: [.httpbin]) { probe in
      let httpbin = probe.httpbin()
      for request in [HTTPRequest.put("/status/503"), .delete("/status/503"), .patch("/status/503")] {
        _ = await httpbin.ask(request)
      }
      try probe.expect(
        try await probe.wire(.httpbin, 7).map(\.method).sorted(),
        ["DELETE", "DELETE", "DELETE", "PATCH", "PUT", "PUT", "PUT"])
    },
    Check("httpbin: the start of an error's body is kept", needs: [.httpbin]) { probe in
      let answer = await probe.httpbin().ask(.get("/status/418"))
      try probe.expect(answer.excerpt.contains("teapot"), true)
      try await probe.wire(.httpbin, 1)
    },
    Check("httpbin: the outcome of a call's response says what kind it is", needs: [.httpbin]) { probe in
      let answer = await probe.httpbin().ask(.get("/json"))
      try probe.expect(answer.response?.outcome(), .success(answer.body))
      try probe.expect(answer.response?.outcome(expecting: "text/html"), .unexpectedType("application/json"))
      try await probe.wire(.httpbin, 1)
    },
    Check("httpbin: retries of all calls end with their budget", needs: [.httpbin]) { probe in
      let httpbin = probe.httpbin {
        $0.budget = RetryBudget(ratio: 0, minimumRetries: 3, window: .seconds(60))
        $0.breaker = nil
      }
      for _ in 0..<5 { _ = await httpbin.ask(.get("/status/503")) }
      try await probe.wire(.httpbin, 8)
    },
  ]
}
