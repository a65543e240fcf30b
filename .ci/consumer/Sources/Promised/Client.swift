// The spellings that are promised to users, one file a part of the API, each line as it was promised. A line that no
// longer compiles is a broken promise: mend the library, not the line.
//
// Here so far: client, requests, responses, outcomes, errors, policy, transports, scripts; clock,
// deadlines, retry, rejections, events; JSON and schemas; test clock, event recorder, local server; in Policies.swift
// the policies that stand alone.
// Rate limiter, throttle, hedge, adaptive bulkhead, canonical JSON and simulation are held by the blocks of their pages.
import Foundation
import StoicHTTP

package struct User: Sendable, Equatable {
  package let id: Int
  package let name: String
  package let tags: [String]
  package let nick: String?
}

extension User {
  package static let schema: Schema<User> = .object(
    User.init,
    .field("id", \.id, .int), .field("name", \.name, .string),
    .field("tags", \.tags, .array(.string)), .optional("nick", \.nick, .string))
}

/// Takes whatever is only here to be compiled.
func use<each Value>(_ value: repeat each Value) {}

package func sendsToTheWorld(order: JSON) async throws {
  // A constant.
  // swift-format-ignore: NeverForceUnwrap
  let api = HTTPClient(
    base: URL(string: "https://api.example.com")!, policy: .standard,
    headers: ["Authorization": "Bearer …"], label: "api")
  let user: User = try await api.send(.get("/users/42"), decoding: User.schema)
  try await api.send(.post("/orders", json: order), idempotencyKey: "k-1")
  use(user)
}

package func makesAClient(url: URL, transport: any HTTPTransport) -> HTTPClient {
  let other = HTTPClient(base: url, transport: transport)
  return other
}

package func buildsRequests(url: URL, someJSON: JSON, data: Data) -> [HTTPRequest] {
  let bytes: [UInt8] = [1, 2, 3]
  let pairs: [(String, String?)] = [("q", "a b"), ("flag", nil)]
  var request = HTTPRequest.get("/p")
  request.headers["X-Tag"] = "v"
  let plain: [HTTPRequest] = [HTTPRequest.get("/p"), .head("/p"), .delete("/p"), .options("/p")]
  let queries: [HTTPRequest] = [
    HTTPRequest.get("/p", query: ["q": "a b", "flag": nil]), .get("/p", query: pairs),
    .get(url, query: ["q": "a b"]),
  ]
  let bodies: [HTTPRequest] = [
    HTTPRequest.post("/p", json: someJSON), .put("/p", json: someJSON), .patch("/p", json: someJSON),
    HTTPRequest.post("/p"), .put("/p"), .patch("/p"),
    HTTPRequest.post("/p", body: bytes, contentType: "text/plain"),
    .put("/p", body: data, contentType: "text/plain"),
    .patch("/p", body: bytes, contentType: "text/plain"),
  ]
  let absolute: [HTTPRequest] = [
    HTTPRequest.get(url), .head(url), .delete(url), .options(url), .post(url, json: someJSON), .put(url),
    .patch(url, body: data, contentType: "text/plain"),
  ]
  let open = HTTPRequest(method: HTTPMethod("QUERY"), path: "/p")
  return plain + queries + bodies + absolute + [
    request, open, request.keyed("k-1"), request.header("X-Tag", "v"),
  ]
}

package func readsMessages(response: HTTPResponse, url: URL) throws {
  let methods: [HTTPMethod] = [
    HTTPMethod.get, .head, .options, .put, .delete, .post, .patch, .trace, HTTPMethod("QUERY"),
  ]
  use(methods.map(\.isSafe), methods.map(\.isIdempotent), methods.map(\.name))
  var headers: HTTPHeaders = ["Accept": "text/plain"]
  headers.add("Set-Cookie", "a=1")
  use(headers["set-cookie"], headers.values(for: "Set-Cookie"))
  let (status, body): (Int, [UInt8]) = (response.status, response.body)
  use(status, body, response.headers, response.url, response.isTruncated)
  use(response.mediaType, response.text, try response.json())
  let outcome: HTTPOutcome = response.outcome(expecting: "application/json")
  use(outcome == .success([]), outcome == .rateLimited(retryAfter: nil))
  use(
    HTTPResponse(status: 200, headers: headers, body: body, url: url, isTruncated: false),
    HTTPResponse(status: 204))
}

package func namesEveryFailure(_ error: HTTPError) -> String {
  let retryable: any Retryable = error
  let (attempts, wasRetried, call): (Int, Bool, CallRecord) = (error.attempts, error.wasRetried, error.call)
  use(retryable, attempts, wasRetried, call.attempts, call.mayHaveActed, call.elapsed)
  switch error {
  case .status(let status, let excerpt, let retryAfter, let call):
    let wait: Duration? = retryAfter
    return "\(status) \(excerpt) \(String(describing: wait)) \(call.attempts)"
  case .transport(let code, call: _):
    let code: URLError.Code = code
    return "\(code.rawValue)"
  case .timedOut(let attempt, call: _): return "\(attempt)"
  case .responseTooLarge(let limit, call: _): return "\(limit)"
  case .decoding(let failure, call: _): return "\(failure.issues.count)"
  case .rejected(let rejection, call: _): return rejection.reason.rawValue
  case .invalidRequest(let reason): return reason
  @unknown default: return "unknown"
  }
}
