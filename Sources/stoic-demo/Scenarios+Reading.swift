import StoicHTTP
import StoicLocalServer

extension Scenario {
  static let overloaded = Scenario(
    title: "The server is overloaded, twice",
    expectation: "reading does no harm, so the client tries again, waiting longer each time."
  ) { stage in
    let server = try await stage.server(answering: .status(503), .status(503), .json(User.document))
    let ending = try await stage.call(.get("/users/42"), at: server) { client, request in
      "\(try await client.send(request, decoding: User.schema))"
    }
    stage.expect("outcome", ending.outcome, is: "user 42, Ada Lovelace")
    stage.expect("attempts", ending.attempts, is: 3)
    stage.expect("requests at the server", server.counts.requests, is: 3)
  }

  static let silent = Scenario(
    title: "The server hangs, once",
    expectation: "an attempt gets one second; then its connection is closed and another one is tried."
  ) { stage in
    let server = try await stage.server(answering: .hang, .json(User.document))
    var policy = HTTPPolicy.demo
    policy.attemptTimeout = .seconds(1)
    let ending = try await stage.call(.get("/users/42"), at: server, policy: policy) { client, request in
      "\(try await client.send(request, decoding: User.schema))"
    }
    await server.waitForUndelivered(1)
    stage.expect("outcome", ending.outcome, is: "user 42, Ada Lovelace")
    stage.expect("attempts", ending.attempts, is: 2)
    stage.expect("requests at the server", server.counts.requests, is: 2)
    stage.expect("given up by the client", server.counts.undelivered, is: 1)
  }

  static let throttled = Scenario(
    title: "The server asks to come back in a second",
    expectation: "the client waits as long as it is told (Retry-After: 1) and not its own 0.1s."
  ) { stage in
    let server = try await stage.server(
      answering: .status(429, headers: ["Retry-After": "1"]), .json(User.document))
    let ending = try await stage.call(.get("/users/42"), at: server) { client, request in
      "\(try await client.send(request, decoding: User.schema))"
    }
    let times = server.requests.map(\.received)
    stage.expect("outcome", ending.outcome, is: "user 42, Ada Lovelace")
    stage.expect("attempts", ending.attempts, is: 2)
    stage.expect("requests at the server", times.count, is: 2)
    if let first = times.first, let last = times.last {
      stage.expect("a second apart", holds: first.duration(to: last) >= .seconds(1))
    }
  }

  static let disconnected = Scenario(
    title: "The connection drops before an answer",
    expectation: "reading does no harm, so the client tries again on a new connection."
  ) { stage in
    let server = try await stage.server(answering: .drop, .json(User.document))
    let ending = try await stage.call(.get("/users/42"), at: server) { client, request in
      "\(try await client.send(request, decoding: User.schema))"
    }
    stage.expect("outcome", ending.outcome, is: "user 42, Ada Lovelace")
    stage.expect("attempts", ending.attempts, is: 2)
    stage.expect("requests at the server", server.counts.requests, is: 2)
    stage.expect("connections", server.counts.connections, is: 2)
  }
}
