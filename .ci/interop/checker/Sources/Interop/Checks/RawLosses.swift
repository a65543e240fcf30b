import StoicHTTP

/// A request on a connection that was used before, which the server then drops.
private struct Loss: Sendable {
  let name: String
  /// What the server does with the request, over HTTP/1.1.
  let script: Script
  /// The same over HTTP/2: a path of its server's.
  var frames = ""
  var needsBody = false

  static let all = [
    Loss(name: "an end", script: Script().end(), frames: "/dropped"),
    Loss(name: "a reset", script: Script().reset(), frames: "/reset"),
    Loss(name: "half a status line", script: Script().say("HTTP/1.1 2").end(), frames: "/torn"),
    Loss(name: "half a head", script: Script().say("HTTP/1.1 200 OK|Content-Le").reset()),
    Loss(
      name: "half a body", script: Script().say("HTTP/1.1 200 OK|Content-Length: 9||half").end(),
      frames: "/half"),
    Loss(name: "an end before the body", script: Script().early().end(), needsBody: true),
    Loss(name: "a reset before the body", script: Script().early().reset(), needsBody: true),
  ]

  static let methods: [HTTPMethod] = [.get, .post, .put, .patch, .delete]
  static let sizes = [0, 10, 1 << 20]
  /// What answers, and keeps the connection.
  static let warm = Script().say("HTTP/1.1 200 OK|Content-Length: 4||warm")
}

/// A request of a check, by its number, which stands in its target.
private struct Case: Sendable {
  let number: Int
  let method: HTTPMethod
  let size: Int
  let loss: Loss

  /// Each loss with each method and each size of body that they go with.
  static func all(where isWanted: (Case) -> Bool) -> [Case] {
    var cases: [Case] = []
    for loss in Loss.all {
      for method in Loss.methods {
        for size in Loss.sizes where size == 0 ? !loss.needsBody : method != .get {
          let next = Case(number: cases.count, method: method, size: size, loss: loss)
          if isWanted(next) { cases.append(next) }
        }
      }
    }
    return cases
  }

  func request(_ path: String) -> HTTPRequest {
    var request = HTTPRequest(method: method, path: path)
    request.query = [HTTPRequest.QueryItem("n", "\(number)")]
    if size > 0 {
      request.body = .bytes(Array(repeating: 7, count: size))
      request = request.header("Content-Type", "application/octet-stream")
    }
    return request
  }

  var attempts: Int { method.isIdempotent ? 3 : 1 }
  var text: String { "\(method), \(size) bytes, \(loss.name)" }

  /// What is wrong with how it ended.
  func complaint(_ answer: Answer) -> String? {
    if answer.ending != .transport(.networkConnectionLost) { return "\(text): ended as \(answer.ending)" }
    if answer.error?.call.mayHaveActed != true { return "\(text): may have acted" }
    return nil
  }
}

extension Check {
  /// Runs each case on a transport of its own, all at once.
  private static func answers(
    to cases: [Case], _ ask: @escaping @Sendable (Case) async throws -> Answer
  ) async throws -> [(Case, Answer)] {
    try await withThrowingTaskGroup(of: (Case, Answer).self) { group in
      for one in cases { group.addTask { (one, try await ask(one)) } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
  }

  /// The requests of a case, in order, without those that went before.
  private static func seen(_ arrivals: [Arrival], of one: Case) -> [Arrival] {
    arrivals.filter { $0.target.hasSuffix("?n=\(one.number)") && !$0.target.contains("warm") }
  }

  /// Over HTTP/1.1, each told by the bytes that it gets.
  static let rawLosses: [Check] = [
    Check(
      "raw: of a request whose used connection is dropped the server saw each attempt, and no more",
      needs: [.raw],
      only: .curl
    ) { probe in
      let cases = Case.all { _ in true }
      let answers = try await answers(to: cases) { one in
        let server = probe.raw()
        // One for each, so that the case's first request finds its connection.
        _ = await server.ask(.get(Loss.warm.path, query: ["warm": "\(one.number)"]))
        return await server.ask(one.request(one.loss.script.path))
      }
      let arrivals = try await probe.wire(.raw, cases.reduce(0) { $0 + 1 + $1.attempts })
      var wrong = answers.compactMap { $0.complaint($1) }
      for (one, answer) in answers {
        let seen = seen(arrivals, of: one)
        let before = arrivals.filter { $0.target.hasSuffix("?warm=\(one.number)") }
        if seen.count != answer.attempts || answer.attempts != one.attempts {
          wrong.append("\(one.text): \(answer.attempts) attempts, seen \(seen.count) times")
        }
        // That there was a danger.
        if seen.first?.connection != before.first?.connection {
          wrong.append("\(one.text): not on the used connection")
        }
        if !one.loss.needsBody, seen.contains(where: { $0["received"] != "\(one.size)" }) {
          wrong.append("\(one.text): the body came as \(seen.map { $0["received"] })")
        }
      }
      try probe.expect(wrong, [])
    },
    Check(
      "raw: of a request whose used connection is dropped the server saw each attempt, but for the platform's repeats",
      needs: [.raw], only: .urlsession
    ) { probe in
      // A body that is dropped early may keep the platform busy for as long as the exchange may take.
      let cases = Case.all {
        !$0.loss.needsBody && !["half a status line", "half a head"].contains($0.loss.name)
      }
      let answers = try await answers(to: cases) { one in
        let server = probe.raw()
        _ = await server.ask(.get(Loss.warm.path, query: ["warm": "\(one.number)"]))
        return await server.ask(one.request(one.loss.script.path))
      }
      let arrivals = try await probe.arrivals(at: .raw, atLeast: cases.count)
      var wrong = answers.compactMap { $0.complaint($1) }
      for (one, answer) in answers {
        let count = seen(arrivals, of: one).count
        // It sends what may be repeated again when not a byte has come.
        let most = answer.attempts + (one.method == .get && one.loss.name != "half a body" ? 1 : 0)
        if answer.attempts != one.attempts || !(answer.attempts...most).contains(count) {
          wrong.append("\(one.text): \(answer.attempts) attempts, seen \(count) times")
        }
      }
      try probe.expect(wrong, [])
    },
  ]

  /// Against a server that speaks HTTP/2 and, with those who ask for it, HTTP/1.1.
  static let curlLosses: [Check] = [
    Check(
      "http2: of a GET whose used connection is dropped the server saw each attempt, and no more",
      needs: [.http2],
      only: .curl
    ) { probe in
      let cases = Case.all { $0.method == .get && !$0.loss.frames.isEmpty }
      let answers = try await answers(to: cases) { one in
        let server = probe.http2()
        _ = await server.ask(.get("/warm", query: ["n": "\(one.number)"]))
        return await server.ask(one.request(one.loss.frames))
      }
      let arrivals = try await probe.wire(.http2, cases.count + answers.reduce(0) { $0 + $1.1.attempts })
      var wrong = answers.compactMap { $0.complaint($1) }
      for (one, answer) in answers {
        let seen = seen(arrivals, of: one)
        if seen.count != answer.attempts || answer.attempts < 3 {
          wrong.append("\(one.text): \(answer.attempts) attempts, seen \(seen.count) times")
        }
        let before = arrivals.filter { $0.target == "/warm?n=\(one.number)" }
        if seen.first?.connection != before.first?.connection {
          wrong.append("\(one.text): not on the used connection")
        }
      }
      try probe.expect(wrong, [])
      try probe.expect(Set(arrivals.map { $0["protocol"] }), ["HTTP/2"])
    },
    Check(
      "http2: what changes something or has a body goes over HTTP/1.1, and is seen as often as it is attempted",
      needs: [.http2], only: .curl
    ) { probe in
      let cases = Case.all { $0.method != .get }
      let answers = try await answers(to: cases) { one in
        let server = probe.http2()
        // The server is known to speak HTTP/2, and there is a used connection of either kind.
        _ = await server.ask(.get("/warm", query: ["n": "\(one.number)"]))
        _ = await server.ask(.post(Loss.warm.path + "?warm=\(one.number)"))
        return await server.ask(one.request(one.loss.script.path))
      }
      let arrivals = try await probe.wire(.http2, cases.reduce(0) { $0 + 2 + $1.attempts })
      var wrong = answers.compactMap { $0.complaint($1) }
      for (one, answer) in answers {
        let seen = seen(arrivals, of: one)
        if seen.count != answer.attempts || answer.attempts != one.attempts {
          wrong.append("\(one.text): \(answer.attempts) attempts, seen \(seen.count) times")
        }
        if Set(seen.map { $0["protocol"] }) != ["HTTP/1.1"] { wrong.append("\(one.text): not over HTTP/1.1") }
        let before = arrivals.filter { $0.target.hasSuffix("?warm=\(one.number)") }
        if seen.first?.connection != before.first?.connection {
          wrong.append("\(one.text): not on the used connection")
        }
      }
      try probe.expect(wrong, [])
    },
  ]
}
