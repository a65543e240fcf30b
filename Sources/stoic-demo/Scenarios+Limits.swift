import Foundation
import Stoic
import StoicHTTP
import StoicLocalServer

extension Scenario {
  static let oversized = Scenario(
    title: "The server sends far too much",
    expectation: "1 GiB is announced and 1 MB is allowed, so the client hangs up and does not ask again."
  ) { stage in
    let announced = 1 << 30
    // What the system holds in its buffers for both sides is a few megabytes.
    let bound = announced / 16
    // At the pace of a fast network: from a sender that never pauses, the loading system on Linux may read for
    // seconds before it comes to closing the connection.
    let size = 1 << 16
    let step: [LocalServer.Piece] = [.repeated(0, count: size), .pause(.milliseconds(1))]
    let body = repeatElement(step, count: announced / size).flatMap { $0 }
    let server = try await stage.server(answering: LocalServer.Response(status: 200, body: body))
    var policy = HTTPPolicy.demo
    policy.maxResponseBytes = 1_000_000
    let ending = try await stage.call(.get("/archive"), at: server, policy: policy) { client, request in
      "\(try await client.send(request).status)"
    }
    await server.waitForUndelivered(1)
    stage.expect("outcome", ending.outcome, is: "response_too_large")
    stage.expect("attempts", ending.attempts, is: 1)
    stage.expect("requests at the server", server.counts.requests, is: 1)
    let sent = server.bytesSent
    stage.expect("bytes that left the server", "\(sent)", sent < bound, wanted: "less than \(bound)")
  }

  static let redirected = Scenario(
    title: "The server sends the client on to another server",
    expectation: "the client follows; its credential (Authorization) stays behind."
  ) { stage in
    let other = try await stage.server(answering: .json(User.document))
    let location = other.baseURL.appending(path: "users/42").absoluteString
    let server = try await stage.server(answering: .status(307, headers: ["Location": location]))
    var port: Int?
    let ending = try await stage.call(
      .get("/users/42"), at: server, headers: ["Authorization": "Bearer of the demo"]
    ) { client, request in
      let response = try await client.send(request)
      port = response.url.port
      return "\(response)"
    }
    stage.expect("answered by the other server", holds: port == other.port)
    stage.expect("attempts", ending.attempts, is: 1)
    stage.expect("requests at the first server", server.counts.requests, is: 1)
    stage.expect("with the credential", server.countOfCredentials, is: 1)
    stage.expect("requests at the other", other.counts.requests, is: 1)
    stage.expect("with the credential", other.countOfCredentials, is: 0)
  }

  static let impatient = Scenario(
    title: "The server asks for more time than the caller has",
    expectation: "30s are asked for and the caller has 10s, so the call fails now and not in 10s."
  ) { stage in
    let server = try await stage.server(answering: .status(503, headers: ["Retry-After": "30"]))
    let patience = Duration.seconds(10)
    let ending = try await stage.call(.get("/users/42"), at: server) { client, request in
      try await withDeadline(patience) { "\(try await client.send(request).status)" }
    }
    stage.expect("outcome", ending.outcome, is: "deadline_exceeded")
    stage.expect("attempts", ending.attempts, is: 1)
    stage.expect("requests at the server", server.counts.requests, is: 1)
    stage.expect("before the deadline", holds: ending.error.map { $0.call.elapsed < patience } ?? false)
    if case .rejected(let rejection, _)? = ending.error {
      stage.expect("wait named in the error", rejection.retryAfter?.text ?? "none", is: "30s")
    }
  }

  static let misshapen = Scenario(
    title: "The answer is not what was agreed on",
    expectation: "every fault is named with its place, no value is shown, and nothing is asked again."
  ) { stage in
    let server = try await stage.server(
      answering: .json(#"[{"id": 1, "name": "Ada", "roles": []}, {"id": "2", "roles": ["author", null]}]"#))
    let ending = try await stage.call(.get("/users"), at: server) { client, request in
      "\(try await client.send(request, decoding: .array(User.schema)).count) users"
    }
    stage.expect("outcome", ending.outcome, is: "decoding")
    stage.expect("attempts", ending.attempts, is: 1)
    stage.expect("requests at the server", server.counts.requests, is: 1)
    guard case .decoding(let failure, _)? = ending.error else { return }
    stage.expect(
      "places", failure.issues.map(\.path.description).joined(separator: " "),
      is: "$[1].name $[1].id $[1].roles[1]")
  }
}

extension LocalServer {
  fileprivate var countOfCredentials: Int { requests.count { $0.header("Authorization") != nil } }
}
