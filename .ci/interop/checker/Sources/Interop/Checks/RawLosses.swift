import StoicHTTP

/// Requests on connections that were used before, which the server then drops.
extension Check {
  private static let methods: [HTTPMethod] = [.get, .post, .put, .patch, .delete]

  /// Over HTTP/1.1, from a server that is told each byte.
  static let rawLosses: [Check] = [
    Check(
      "raw: of a request whose used connection is dropped the server saw each attempt, and no more",
      needs: [.raw], only: .curl
    ) { probe in
      let requests = LostRequest.all(Loss.common + Loss.others, methods)
      let answers = await probe.answers(to: requests) { one in
        let server = probe.raw()
        _ = await server.ask(one.warmUp(.get))
        return await server.ask(one.request(one.loss.script.path))
      }
      let arrivals = try await probe.wire(.raw, requests.reduce(0) { $0 + 1 + $1.attempts })
      var wrong = answers.flatMap { $0.request.complaints($0.answer, arrivals) }
      for (one, answer) in answers {
        if answer.attempts != one.attempts { wrong.append("\(one.method): \(answer.attempts) attempts") }
        // What arrived is whole, where the server has read it.
        let sizes = Set(arrivals.filter(one.isSeen).map { $0["received"] })
        if one.loss.name.hasSuffix("before the body") ? false : sizes != ["\(one.size)"] {
          wrong.append("\(one.method), \(one.size) bytes: \(sizes) arrived")
        }
      }
      try probe.expect(wrong, [])
    },
    Check(
      "raw: of a request whose used connection is dropped the server saw each attempt, and what the platform repeats",
      needs: [.raw], only: .urlsession
    ) { probe in
      let requests = LostRequest.all(Loss.common.filter { $0.name != "half a status line" }, methods)
      let answers = await probe.answers(to: requests) { one in
        let server = probe.raw()
        _ = await server.ask(one.warmUp(.get))
        return await server.ask(one.request(one.loss.script.path))
      }
      let arrivals = try await probe.arrivals(at: .raw, atLeast: requests.reduce(0) { $0 + 1 + $1.attempts })
      let wrong = answers.compactMap { one, answer -> String? in
        let count = arrivals.filter(one.isSeen).count
        // What may be repeated it sends again on its own, once, when not a byte has come.
        let most = answer.attempts + (one.method == .get ? 1 : 0)
        guard answer.attempts == one.attempts, (answer.attempts...most).contains(count) else {
          return "\(one.method), \(one.loss.name): \(answer.attempts) attempts, seen \(count) times"
        }
        return nil
      }
      try probe.expect(wrong, [])
    },
  ]

  /// Against a server that speaks HTTP/2 and, with those who ask for it, HTTP/1.1.
  static let curlLosses: [Check] = [
    Check(
      "http2: of a GET whose used connection is dropped the server saw each attempt, and no more",
      needs: [.http2], only: .curl
    ) { probe in
      let requests = LostRequest.all(Loss.common + Loss.others.filter { !$0.frames.isEmpty }, [.get])
      let answers = await probe.answers(to: requests) { one in
        let server = probe.http2()
        _ = await server.ask(one.warmUp(.get, "/warm"))
        return await server.ask(one.request(one.loss.frames))
      }
      let arrivals = try await probe.wire(.http2, answers.reduce(0) { $0 + 1 + $1.answer.attempts })
      try probe.expect(answers.flatMap { $0.request.complaints($0.answer, arrivals) }, [])
      try probe.expect(Set(arrivals.map { $0["protocol"] }), ["HTTP/2"])
    },
    Check(
      "http2: what changes something or has a body goes over HTTP/1.1, and is seen as often as it is attempted",
      needs: [.http2], only: .curl
    ) { probe in
      let requests = LostRequest.all(Loss.common, methods.filter { $0 != .get })
      let answers = await probe.answers(to: requests) { one in
        let server = probe.http2()
        // The server is known to speak HTTP/2, and there is a used connection of either kind.
        _ = await server.ask(one.warmUp(.get, "/warm"))
        _ = await server.ask(one.warmUp(.post))
        return await server.ask(one.request(one.loss.script.path))
      }
      let arrivals = try await probe.wire(.http2, answers.reduce(0) { $0 + 2 + $1.request.attempts })
      let wrong = answers.flatMap { one, answer in
        one.complaints(answer, arrivals, warmedOver: { $0.method == "POST" })
      }
      try probe.expect(wrong, [])
      let protocols = { (isGet: Bool) in
        Set(arrivals.filter { ($0.method == "GET") == isGet }.map { $0["protocol"] })
      }
      try probe.expect(protocols(true), ["HTTP/2"])
      try probe.expect(protocols(false), ["HTTP/1.1"])
    },
  ]
}
