import Foundation
import StoicLocalServer

package func serves() async throws -> URL {
  let server = try await LocalServer.start { request in .json(#"{"id":42}"#) }
  defer { server.stop() }
  let (port, baseURL): (Int, URL) = (server.port, server.baseURL)
  for request in server.requests {
    use(request.method, request.target, request.path, request.query, request.headers, request.header("X"))
    use(request.body, request.connection, request.head, request.received)
  }
  use(port)
  return baseURL
}

package func answers() -> [LocalServer.Response] {
  [.text("hello"), .json("{}"), .drop, .text("slow", status: 503)]
}
