import Foundation
import StoicHTTP

extension Check {
  /// nginx's own limits, and time.
  static let nginxLimits: [Check] = [
    Check("nginx: a GET over the rate is 429, and served when it comes again", needs: [.nginx]) { probe in
      let nginx = probe.nginx { $0.retry = RetrySchedule.constant(.milliseconds(1_050), maxAttempts: 3) }
      try probe.expect(await nginx.ask(.get("/rated.txt")).attempts, 1)
      let second = await nginx.ask(.get("/rated.txt"))
      try probe.expect(second.ending, .success(200))
      try probe.expect(second.attempts, 2)
      try probe.expect(try await probe.wire(.nginx, 3).map(\.status), [200, 429, 200])
    },
    Check("nginx: a call whose deadline is before the next turn is not waited for", needs: [.nginx]) {
      probe in
      let nginx = probe.nginx { $0.retry = RetrySchedule.constant(.seconds(60), maxAttempts: 3) }
      _ = await nginx.ask(.get("/rated.txt"))
      let answer = await nginx.ask(.get("/rated.txt"), within: .seconds(5))
      try probe.expect(answer.ending, .rejected(.deadlineExceeded))
      try probe.expect(answer.error?.call.history.map(\.outcome), ["status_429"])
      try await probe.wire(.nginx, 2)
    },
    Check("nginx: a second connection where one may be is 503, three times", needs: [.nginx]) { probe in
      let nginx = probe.nginx { $0.maxResponseBytes = 300_000_000 }
      let first = Task { await nginx.ask(.get("/one.bin")) }
      // It takes minutes; half a second brings it to the server.
      try await Task.sleep(for: .milliseconds(500))
      let second = await nginx.ask(.get("/one.bin", query: ["n": "2"]))
      try probe.expect(second.ending, .status(503))
      try probe.expect(second.attempts, 3)
      first.cancel()
      try probe.expect(await first.value.ending, .cancelled)
      try probe.expect(try await probe.wire(.nginx, 4).map(\.status), [503, 503, 503, 200])
    },
    Check("nginx: a bulkhead of one keeps the server's limit of one", needs: [.nginx]) { probe in
      let nginx = probe.nginx {
        $0.coalescesGETs = false
        $0.maxConcurrentPerHost = 1
      }
      let answers = await nginx.askAll([.get("/alone.txt"), .get("/alone.txt")])
      try probe.expect(answers.map(\.ending), [.success(200), .success(200)])
      try probe.expect(try await probe.wire(.nginx, 2).map(\.status), [200, 200])
    },
    Check("nginx: a body that takes too long is timed out, as often as may be", needs: [.nginx]) { probe in
      let nginx = probe.nginx {
        $0.attemptTimeout = .milliseconds(400)
        $0.retry.maxAttempts = 2
      }
      let slow = await nginx.ask(.get("/slow.txt"))
      try probe.expect(slow.ending, .timedOut)
      try probe.expect(slow.attempts, 2)
      try await probe.wire(.nginx, 2)
    },
    Check("nginx: a deadline ends a call in the middle of a body", needs: [.nginx]) { probe in
      let nginx = probe.nginx()
      let answer = await nginx.ask(.get("/slow.txt"), within: .milliseconds(500))
      try probe.expect(answer.ending, .rejected(.deadlineExceeded))
      try probe.expect(answer.attempts, 1)
      try await probe.wire(.nginx, 1)
    },
  ]
}
