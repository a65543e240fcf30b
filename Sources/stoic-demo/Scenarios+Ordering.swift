import StoicHTTP
import StoicJSON
import StoicLocalServer

extension Scenario {
  private static let order: JSON = ["sku": "A-1", "count": 2]

  static let unkeyedOrder = Scenario(
    title: "An order meets an overloaded server",
    expectation: "it may have been placed before the 503, so it is not sent again: nobody pays twice."
  ) { stage in
    let server = try await stage.server(answering: .status(503), .status(201))
    let ending = try await stage.call(.post("/orders", json: order), at: server) { client, request in
      "\(try await client.send(request).status)"
    }
    stage.expect("outcome", ending.outcome, is: "status_503")
    stage.expect("attempts", ending.attempts, is: 1)
    stage.expect("requests at the server", server.counts.requests, is: 1)
    stage.expect(
      "the error says that it may have been placed", holds: ending.error?.call.mayHaveActed == true)
  }

  static let keyedOrder = Scenario(
    title: "An order with a key meets an overloaded server",
    expectation: "the server can tell a repeat by its Idempotency-Key, so the same order is sent again."
  ) { stage in
    let server = try await stage.server(answering: .status(503), .status(201))
    let ending = try await stage.call(.post("/orders", json: order), at: server) { client, request in
      "\(try await client.send(request, idempotencyKey: "order-7").status)"
    }
    stage.expect("outcome", ending.outcome, is: "201")
    stage.expect("attempts", ending.attempts, is: 2)
    stage.expect("requests at the server", server.counts.requests, is: 2)
    let keys = server.requests.map { $0.header("Idempotency-Key") ?? "none" }
    stage.expect("keys", keys.joined(separator: " and "), is: "order-7 and order-7")
    stage.expect("the same body", holds: Set(server.requests.map(\.body)).count == 1)
  }
}
