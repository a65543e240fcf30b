import Foundation
import StoicHTTP

extension Check {
  /// Redirects of nginx.
  static let nginxRedirects: [Check] = [
    Check("nginx: a GET follows 301, 303 and a relative one", needs: [.nginx]) { probe in
      let nginx = probe.nginx()
      for (path, status) in [("/moved", 301), ("/see-other", 303), ("/moved-relatively", 301)] {
        let answer = await nginx.ask(.get(path))
        try probe.expect(answer.text, "small\n")
        try probe.expect(answer.redirects, [status])
        try probe.expect(answer.response?.url.path(), "/small.txt")
        try probe.expect(answer.attempts, 1)
      }
      try await probe.wire(.nginx, 6)
    },
    Check("nginx: a folder without its slash leads to the folder", needs: [.nginx]) { probe in
      let answer = await probe.nginx().ask(.get("/folder"))
      try probe.expect(answer.text, "index\n")
      try probe.expect(try await probe.wire(.nginx, 2).map(\.target), ["/folder", "/folder/"])
    },
    Check("nginx: a loop ends after twenty redirects", needs: [.nginx]) { probe in
      let answer = await probe.nginx().ask(.get("/loop"))
      try probe.expect(answer.ending, .status(302))
      try probe.expect(answer.redirects.count, 20)
      try probe.expect(answer.attempts, 1)
      try await probe.wire(.nginx, 21)
    },
    Check("nginx: a POST is not turned into a GET by 301", needs: [.nginx]) { probe in
      let answer = await probe.nginx().ask(.post("/moved-order", json: ["a": 1]))
      try probe.expect(answer.ending, .status(301))
      try probe.expect(try await probe.wire(.nginx, 1).map(\.method), ["POST"])
    },
    Check("nginx: a POST is turned into a GET by 301 where the policy says so", needs: [.nginx]) { probe in
      let nginx = probe.nginx { $0.redirects = .allowingMethodRewrite }
      _ = await nginx.ask(.post("/moved-order", json: ["a": 1]))
      try probe.expect(try await probe.wire(.nginx, 2).map(\.method), ["POST", "GET"])
    },
    Check("nginx: a POST stays one by 307 and 308, and arrives once", needs: [.nginx]) { probe in
      let nginx = probe.nginx()
      for path in ["/temporarily", "/permanently"] {
        try probe.expect(await nginx.ask(.post(path, json: ["a": 1])).ending, .success(201))
      }
      let arrivals = try await probe.wire(.nginx, 4)
      try probe.expect(arrivals.map(\.method), ["POST", "POST", "POST", "POST"])
      try probe.expect(arrivals.map(\.target), ["/temporarily", "/order", "/permanently", "/order"])
    },
    Check("nginx: a 303 to a POST is followed by a GET", needs: [.nginx]) { probe in
      let answer = await probe.nginx().ask(.post("/see-other", json: ["a": 1]))
      try probe.expect(answer.text, "small\n")
      try probe.expect(try await probe.wire(.nginx, 2).map(\.method), ["POST", "GET"])
    },
    Check("nginx: a credential does not travel to another port", needs: [.nginx]) { probe in
      let answer = await probe.nginx().ask(.get("/elsewhere").header("Authorization", "Bearer x"))
      try probe.expect(answer.text, "small\n")
      try probe.expect(answer.redirects, [307])
      try probe.expect(
        try await probe.wire(.nginx, 2).map { $0["authorization"] }, ["Bearer x", ""])
    },
    Check("nginx: no redirect is followed where the policy says none", needs: [.nginx]) { probe in
      let answer = await probe.nginx { $0.redirects = .none }.ask(.get("/moved"))
      try probe.expect(answer.ending, .status(301))
      try await probe.wire(.nginx, 1)
    },
  ]
}
