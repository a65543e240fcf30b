import Foundation
import StoicHTTP

extension Check {
  /// Who may read: challenges are answers, and credentials are the caller's to send.
  static let httpbinAccess: [Check] = [
    Check("httpbin: basic access is refused without and granted with a password", needs: [.httpbin]) {
      probe in
      let httpbin = probe.httpbin()
      let refused = await httpbin.ask(.get("/basic-auth/user/pass"))
      try probe.expect(refused.ending, .status(401))
      let granted = await httpbin.ask(
        .get("/basic-auth/user/pass").header("Authorization", "Basic dXNlcjpwYXNz"))
      try probe.expect(granted.json["authenticated"], true)
      try await probe.wire(.httpbin, 2)
    },
    Check("httpbin: what hides behind a 404 stays there without a password", needs: [.httpbin]) { probe in
      let httpbin = probe.httpbin()
      try probe.expect(await httpbin.ask(.get("/hidden-basic-auth/user/pass")).ending, .status(404))
      let granted = await httpbin.ask(
        .get("/hidden-basic-auth/user/pass").header("Authorization", "Basic dXNlcjpwYXNz"))
      try probe.expect(granted.ending, .success(200))
      try await probe.wire(.httpbin, 2)
    },
    Check("httpbin: a bearer token is refused when missing and read when there", needs: [.httpbin]) { probe in
      let httpbin = probe.httpbin()
      try probe.expect(await httpbin.ask(.get("/bearer")).ending, .status(401))
      let granted = await httpbin.ask(.get("/bearer").header("Authorization", "Bearer t-1"))
      try probe.expect(granted.json["token"], "t-1")
      try await probe.wire(.httpbin, 2)
    },
    Check("httpbin: a digest challenge is an answer, and not answered", needs: [.httpbin]) { probe in
      let answer = await probe.httpbin().ask(.get("/digest-auth/auth/user/pass"))
      try probe.expect(answer.ending, .status(401))
      try probe.expect(answer.attempts, 1)
      try await probe.wire(.httpbin, 1)
    },
    Check("httpbin: a POST that is challenged is sent once", needs: [.httpbin]) { probe in
      let answer = await probe.httpbin().ask(.post("/status/401", json: ["a": 1]), key: "k-5")
      try probe.expect(answer.ending, .status(401))
      try await probe.wire(.httpbin, 1)
    },
    Check("httpbin: a proxy's challenge from no proxy is an answer", needs: [.httpbin]) { probe in
      try probe.expect(await probe.httpbin().ask(.get("/status/407")).ending, .status(407))
      try await probe.wire(.httpbin, 1)
    },
    Check("httpbin: a default credential stays with its origin", needs: [.httpbin, .nginx]) { probe in
      var policy = HTTPPolicy.standard
      policy.retry.maxAttempts = 1
      let client = HTTPClient(
        base: probe.site.url("httpbin"), transport: probe.transport.make(trusting: nil), policy: policy,
        headers: ["User-Agent": probe.agent, "Authorization": "Bearer secret"])
      let target = probe.site.url("plain", path: "/small.txt").absoluteString
      let answer = await Party(probe: probe, server: .httpbin, client: client)
        .ask(.get("/redirect-to", query: ["url": target]).header("User-Agent", probe.agent))
      try probe.expect(answer.text, "small\n")
      try await probe.wire(.httpbin, 1, reported: 2)
      let elsewhere = try await probe.arrivals(at: .nginx, atLeast: 1)
      try probe.expect(elsewhere.map { $0["authorization"] }, [""])
    },
  ]
}
