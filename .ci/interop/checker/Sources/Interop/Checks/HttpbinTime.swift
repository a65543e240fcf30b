import Foundation
import StoicHTTP

extension Check {
  /// Answers that take their time.
  static let httpbinTime: [Check] = [
    Check("httpbin: an answer that comes late comes", needs: [.httpbin]) { probe in
      let answer = await probe.httpbin().ask(.get("/delay/0.4"))
      try probe.expect(answer.ending, .success(200))
      try await probe.wire(.httpbin, 1)
    },
    Check("httpbin: an answer that comes too late is asked for again", needs: [.httpbin]) { probe in
      let httpbin = probe.httpbin {
        $0.attemptTimeout = .milliseconds(400)
        $0.retry.maxAttempts = 2
      }
      let answer = await httpbin.ask(.get("/delay/1"))
      try probe.expect(answer.ending, .timedOut)
      try probe.expect(answer.error?.call.history.map(\.outcome), ["timed_out", "timed_out"])
      try probe.expect(answer.error?.call.mayHaveActed, true)
      try await probe.wire(.httpbin, 2)
    },
    Check("httpbin: a POST whose answer comes too late is not sent again", needs: [.httpbin]) { probe in
      let answer = await probe.httpbin { $0.attemptTimeout = .milliseconds(400) }.ask(
        .post("/delay/1", json: []))
      try probe.expect(answer.ending, .timedOut)
      try probe.expect(answer.error?.call.mayHaveActed, true)
      try await probe.wire(.httpbin, 1)
    },
    Check("httpbin: the caller's deadline ends a call of many attempts", needs: [.httpbin]) { probe in
      let httpbin = probe.httpbin { $0.attemptTimeout = .milliseconds(400) }
      let answer = await httpbin.ask(.get("/delay/1"), within: .milliseconds(800))
      try probe.expect(answer.ending, .rejected(.deadlineExceeded))
      try probe.expect(answer.attempts, 2)
      try await probe.wire(.httpbin, 2)
    },
    Check("httpbin: a body that drips arrives whole", needs: [.httpbin]) { probe in
      let answer = await probe.httpbin().ask(.get("/drip?duration=0.5&numbytes=10&delay=0"))
      try probe.expect(answer.text, "**********")
      try await probe.wire(.httpbin, 1)
    },
    Check("httpbin: a body that drips too slowly is timed out, for all its bytes", needs: [.httpbin]) {
      probe in
      let httpbin = probe.httpbin {
        $0.attemptTimeout = .milliseconds(500)
        $0.retry.maxAttempts = 1
      }
      let answer = await httpbin.ask(.get("/drip?duration=1&numbytes=20&delay=0"))
      try probe.expect(answer.ending, .timedOut)
      try await probe.wire(.httpbin, 1)
    },
    Check("httpbin: an error that drips is an error when it has dripped", needs: [.httpbin]) { probe in
      let answer = await probe.httpbin().ask(.get("/drip?duration=0.2&numbytes=4&code=404&delay=0"))
      try probe.expect(answer.ending, .status(404))
      try probe.expect(answer.excerpt, "****")
      try await probe.wire(.httpbin, 1)
    },
    Check("httpbin: seventeen slow answers at once take the time of three", needs: [.httpbin]) { probe in
      let began = ContinuousClock.now
      let answers = await probe.httpbin().askAll((0..<17).map { .get("/delay/0.4", query: ["n": "\($0)"]) })
      try probe.expect(Set(answers.map { "\($0.ending)" }), ["success(200)"])
      let elapsed = began.duration(to: .now)
      try probe.expect(elapsed >= .milliseconds(1_200), true)
      try probe.expect(elapsed < .seconds(10), true)
      try await probe.wire(.httpbin, 17)
    },
  ]
}
