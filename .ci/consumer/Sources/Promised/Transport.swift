import Foundation
import StoicHTTP

/// The least that a transport of a user's own has to be.
package struct Echo: HTTPTransport {
  package init() {}

  package func send(_ request: TransportRequest, maxResponseBytes: Int) async throws -> HTTPResponse {
    let (method, url, headers): (HTTPMethod, URL, HTTPHeaders) = (
      request.method, request.url, request.headers
    )
    let (timeout, mayRepeat): (Duration?, Bool) = (request.timeout, request.mayRepeat)
    use(headers, timeout, mayRepeat, enforcesTimeout)
    guard request.body.count <= maxResponseBytes else {
      throw TransportError(code: URLError.Code.dataLengthExceedsMaximum, mayHaveActed: false)
    }
    let text = Array("\(method.name) \(url.path())".utf8)
    return HTTPResponse(
      status: 200, headers: ["Content-Type": "text/plain"], body: text + request.body, url: url)
  }
}

package func scripts() -> ScriptedTransport {
  let transport = ScriptedTransport()
  transport.on(.get("/users/42"), respond: [.status(503), .status(503), .json(#"{"id": 42}"#)])
  transport.on(.post("/orders"), respond: [.failure(.networkConnectionLost)], then: .status(201))
  let steps: [ScriptedTransport.Step] = [
    .status(503), .status(503, headers: ["Retry-After": "30"]), .json("{}"), .json("{}", status: 201),
    .bytes([1, 2]),
    .failure(.timedOut), .hang, .oversized(1 << 30), .oversized(1 << 30, status: 503),
    .status(200).after(.seconds(2)), .hang.after(.seconds(2)),
  ]
  transport.on(.get("/steps"), respond: steps)
  for request in transport.requests { use(request.method, request.url, request.headers, request.body) }
  use(transport.inFlight, transport.maxInFlight, transport.aborted, transport.unscripted)
  return transport
}
