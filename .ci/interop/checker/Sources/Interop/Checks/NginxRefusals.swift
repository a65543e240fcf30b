import Foundation
import StoicHTTP

extension Check {
  /// A server that is there and does not serve.
  static let nginxRefusals: [Check] = [
    Check("nginx: a GET that meets 503 is sent three times", needs: [.nginx]) { probe in
      let answer = await probe.nginx().ask(.get("/down"))
      try probe.expect(answer.ending, .status(503))
      try probe.expect(answer.excerpt, "down")
      try probe.expect(
        answer.error?.call.history.map(\.waitBefore), [.zero, .milliseconds(20), .milliseconds(40)])
      try await probe.wire(.nginx, 3)
    },
    Check("nginx: a POST without a key that meets 503 is sent once", needs: [.nginx]) { probe in
      try probe.expect(await probe.nginx().ask(.post("/down", json: ["a": 1])).ending, .status(503))
      try await probe.wire(.nginx, 1)
    },
    Check("nginx: a POST with a key that meets 503 is sent three times, with that key", needs: [.nginx]) {
      probe in
      let answer = await probe.nginx().ask(.post("/down", json: ["a": 1]), key: "k-1")
      try probe.expect(answer.ending, .status(503))
      try probe.expect(try await probe.wire(.nginx, 3).map(\.key), ["k-1", "k-1", "k-1"])
    },
    Check("nginx: PUT and DELETE that meet 503 are sent three times, a PATCH once", needs: [.nginx]) {
      probe in
      let nginx = probe.nginx()
      for request in [HTTPRequest.put("/down"), .delete("/down"), .patch("/down")] {
        _ = await nginx.ask(request)
      }
      try probe.expect(
        try await probe.wire(.nginx, 7).map(\.method),
        ["PUT", "PUT", "PUT", "DELETE", "DELETE", "DELETE", "PATCH"])
    },
    Check("nginx: a Retry-After is kept, as far as the policy allows", needs: [.nginx]) { probe in
      let answer = await probe.nginx { $0.maxRetryAfter = .milliseconds(90) }.ask(.get("/down-for-a-second"))
      guard case .status(503, _, let asked, let call) = answer.error else {
        throw Mismatch(description: "ended as \(answer.ending)")
      }
      try probe.expect(asked, .seconds(1))
      try probe.expect(call.history.map(\.waitBefore), [.zero, .milliseconds(90), .milliseconds(90)])
      try probe.expect(call.elapsed >= .milliseconds(180), true)
      try await probe.wire(.nginx, 3)
    },
    Check("nginx: a GET whose connection is dropped is sent three times", needs: [.nginx]) { probe in
      let answer = await probe.nginx().ask(.get("/dropped"))
      try probe.expect(answer.ending, .transport(.networkConnectionLost))
      try probe.expect(answer.error?.call.mayHaveActed, true)
      try await probe.wire(.nginx, 3)
    },
    Check("nginx: a GET whose warm connection is dropped is sent three times", needs: [.nginx]) { probe in
      let nginx = probe.nginx()
      _ = await nginx.ask(.get("/small.txt"))
      try probe.expect(await nginx.ask(.get("/dropped")).ending, .transport(.networkConnectionLost))
      try await probe.wire(
        .nginx, 4, limit: .urlsession(5, "a GET on a reused connection that dies is sent again, uncounted"))
    },
    Check("nginx: a POST whose connection is dropped is sent once, warm or not", needs: [.nginx]) { probe in
      let nginx = probe.nginx()
      _ = await nginx.ask(.get("/small.txt"))
      for request in [HTTPRequest.post("/dropped", json: ["a": 1]), .post("/dropped"), .patch("/dropped")] {
        let answer = await nginx.ask(request)
        try probe.expect(answer.ending, .transport(.networkConnectionLost))
        try probe.expect(answer.error?.call.mayHaveActed, true)
      }
      try probe.expect(
        try await probe.wire(.nginx, 4).map(\.method), ["GET", "POST", "POST", "PATCH"])
    },
    Check("nginx: a POST with a key whose connection is dropped is sent three times", needs: [.nginx]) {
      probe in
      let answer = await probe.nginx().ask(.post("/dropped", json: ["a": 1]), key: "k-2")
      try probe.expect(answer.ending, .transport(.networkConnectionLost))
      try probe.expect(try await probe.wire(.nginx, 3).map(\.key), ["k-2", "k-2", "k-2"])
    },
    Check("nginx: a port where nobody listens was not acted on", needs: [.nginx]) { probe in
      let answer = await probe.nginx("closed").ask(.post("/order", json: ["a": 1]), key: "k-3")
      try probe.expect(answer.ending, .transport(.cannotConnectToHost))
      try probe.expect(answer.error?.call.mayHaveActed, false)
      try probe.expect(answer.attempts, 3)
      try await probe.wire(.nginx, 0, reported: 3)
    },
    Check("nginx: a gateway whose server is gone is asked three times", needs: [.nginx]) { probe in
      try probe.expect(await probe.nginx().ask(.get("/bad-gateway")).ending, .status(502))
      try await probe.wire(.nginx, 3)
    },
    Check("nginx: a gateway whose server is slow is asked three times", needs: [.nginx, .httpbin]) { probe in
      try probe.expect(await probe.nginx().ask(.get("/gateway-timeout")).ending, .status(504))
      try await probe.wire(.nginx, 3)
    },
    Check("nginx: a body that its gateway cuts is no success", needs: [.nginx, .httpbin]) { probe in
      let answer = await probe.nginx().ask(.get("/cut"))
      try probe.expect(answer.ending, .transport(.networkConnectionLost))
      try probe.expect(answer.attempts, 3)
      try await probe.wire(.nginx, 3)
    },
    Check("nginx: what a gateway passes on arrives in both directions", needs: [.nginx, .httpbin]) { probe in
      let answer = await probe.nginx().ask(.post("/anything", json: ["a": [1, 2]]))
      try probe.expect(answer.json["json"], ["a": [1, 2]])
      try await probe.wire(.nginx, 1)
    },
    Check("nginx: a breaker that has opened keeps requests off the wire", needs: [.nginx]) { probe in
      let nginx = probe.nginx {
        $0.breaker = CircuitBreaker.Configuration(failureRatio: 0.5, minimumCalls: 4, openFor: .seconds(60))
      }
      let endings = [
        await nginx.ask(.post("/down")), await nginx.ask(.post("/down")), await nginx.ask(.post("/down")),
      ]
      .map(\.ending)
      try probe.expect(endings, [.status(503), .status(503), .status(503)])
      _ = await nginx.ask(.post("/down"))
      try probe.expect(await nginx.ask(.get("/small.txt")).ending, .rejected(.breakerOpen))
      try await probe.wire(.nginx, 4)
    },
  ]
}
