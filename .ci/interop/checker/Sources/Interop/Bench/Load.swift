import StoicHTTP

/// Requests that keep coming in, eight at a time, while something happens to the server.
struct Load {
  let probe: Probe
  let nginx: Party

  init(_ probe: Probe) {
    self.probe = probe
    nginx = probe.nginx {
      $0.retry = RetrySchedule.constant(.milliseconds(50), maxAttempts: 400)
      $0.budget = nil
      $0.breaker = nil
    }
  }

  /// Sends numbered requests until so many have ended and the server has come to rest.
  ///
  /// - Parameter make: a request by its number, which stands in its target as `n`.
  func run(
    of count: Int, _ make: @escaping @Sendable (Int) -> HTTPRequest,
    meanwhile happening: @escaping @Sendable () async throws -> Void
  ) async throws -> Outcome {
    async let happened: Void = happening()
    var answers: [Int: Answer] = [:]
    try await withThrowingTaskGroup(of: (Int, Answer).self) { group in
      for number in 0..<count {
        if number >= 8, let (ended, answer) = try await group.next() { answers[ended] = answer }
        group.addTask {
          // A stream of them, rather than one burst before anything has happened.
          try await Task.sleep(for: .milliseconds(10))
          return (number, await nginx.ask(make(number)))
        }
      }
      for try await (ended, answer) in group { answers[ended] = answer }
    }
    try await happened
    return Outcome(probe: probe, answers: answers)
  }

  /// What became of all requests, by number.
  struct Outcome {
    let probe: Probe
    let answers: [Int: Answer]

    func expectSuccess(_ status: Int) throws {
      for (number, answer) in answers where answer.ending != .success(status) {
        throw Mismatch(
          description: "request \(number) ended as \(answer.ending) after \(answer.attempts) attempts")
      }
    }

    /// Holds what the server saw of each request against what the client said of it.
    ///
    /// - Parameters:
    ///   - sentAgain: whether a request may be repeated.
    ///   - kills: how often the server was killed: of what it was at it has logged nothing, though it may have answered.
    func expectHonesty(sentAgain: Bool, kills: Int = 0) async throws {
      let arrivals = try await probe.arrivals(at: .nginx, atLeast: 0)
      let seen = Dictionary(grouping: arrivals) { Int($0.target.split(separator: "=").last ?? "") ?? -1 }
      var unlogged = kills * 8
      for (number, answer) in answers {
        let count = seen[number]?.count ?? 0
        if answer.response != nil, count == 0 { unlogged -= 1 }
        let complaint: String? =
          if count > answer.attempts {
            "the server saw more of it than the client reported"
          } else if !sentAgain, answer.attempts > 1 {
            "it was repeated"
          } else if unlogged < 0 {
            "it succeeded, and the server has not seen it"
          } else if let error = answer.error, !error.call.mayHaveActed, count > 0 {
            "the server saw it, and the client says that it cannot have acted"
          } else {
            nil
          }
        if let complaint {
          throw Mismatch(
            description:
              "request \(number), \(answer.ending) in \(answer.attempts) attempts, seen \(count) times: \(complaint)"
          )
        }
      }
    }
  }
}
