import StoicHTTP

extension Check {
  /// Redirects of httpbin.
  static let httpbinRedirects: [Check] = [
    Check("httpbin: relative redirects are followed, and counted", needs: [.httpbin]) { probe in
      let answer = await probe.httpbin().ask(.get("/relative-redirect/4"))
      try probe.expect(answer.ending, .success(200))
      try probe.expect(answer.redirects, [302, 302, 302, 302])
      try probe.expect(answer.attempts, 1)
      try await probe.wire(.httpbin, 5)
    },
    Check("httpbin: absolute redirects are followed, and counted", needs: [.httpbin]) { probe in
      let answer = await probe.httpbin().ask(.get("/absolute-redirect/4"))
      try probe.expect(answer.ending, .success(200))
      try probe.expect(answer.response?.url.path(), "/get")
      try await probe.wire(.httpbin, 5)
    },
    Check("httpbin: twenty redirects are followed, a twenty-first is the answer", needs: [.httpbin]) {
      probe in
      let httpbin = probe.httpbin()
      try probe.expect(await httpbin.ask(.get("/relative-redirect/20")).ending, .success(200))
      try probe.expect(await httpbin.ask(.get("/relative-redirect/21")).ending, .status(302))
      try await probe.wire(.httpbin, 42)
    },
    Check("httpbin: a POST by 307 and 308 arrives with its body", needs: [.httpbin]) { probe in
      let httpbin = probe.httpbin()
      for status in ["307", "308"] {
        let answer = await httpbin.ask(
          .post("/redirect-to?url=/anything&status_code=\(status)", json: ["a": 1]))
        try probe.expect(answer.json["method"], "POST")
        try probe.expect(answer.json["json"], ["a": 1])
      }
      try await probe.wire(.httpbin, 4)
    },
    Check("httpbin: a POST by 303 becomes a GET without a body", needs: [.httpbin]) { probe in
      let answer = await probe.httpbin().ask(
        .post("/redirect-to?url=/anything&status_code=303", json: ["a": 1]))
      try probe.expect(answer.json["method"], "GET")
      try probe.expect(answer.json["data"], "")
      try probe.expect(answer.json["headers"]?["Content-Type"], nil)
      try await probe.wire(.httpbin, 2)
    },
    Check("httpbin: a POST by 301 and 302 is not repeated elsewhere", needs: [.httpbin]) { probe in
      let httpbin = probe.httpbin()
      for status in [301, 302] {
        let answer = await httpbin.ask(
          .post("/redirect-to?url=/anything&status_code=\(status)", json: ["a": 1]))
        try probe.expect(answer.ending, .status(status))
      }
      try await probe.wire(.httpbin, 2)
    },
    Check("httpbin: a cookie that a redirect sets is not sent by it", needs: [.httpbin]) { probe in
      let answer = await probe.httpbin().ask(.get("/cookies/set?flavour=oat"))
      try probe.expect(answer.json["cookies"], [:])
      try probe.expect(answer.redirects, [302])
      try await probe.wire(.httpbin, 2)
    },
    Check("httpbin: a retry follows its redirect anew", needs: [.httpbin]) { probe in
      let answer = await probe.httpbin().ask(.get("/redirect-to?url=/status/503"))
      try probe.expect(answer.ending, .status(503))
      try probe.expect(answer.attempts, 3)
      try probe.expect(answer.redirects, [302, 302, 302])
      try await probe.wire(.httpbin, 6)
    },
  ]
}
