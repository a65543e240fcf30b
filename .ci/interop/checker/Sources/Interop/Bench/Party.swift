import StoicHTTP
import Synchronization

/// A client and the server that it talks to.
struct Party: Sendable {
  let probe: Probe
  let server: Site.Server
  let client: HTTPClient

  /// Sends a request, whatever comes of it.
  ///
  /// What the client reported is taken from its events: it tells of successes nowhere else.
  ///
  /// - Parameter limit: the caller's deadline, from now on.
  func ask(_ request: HTTPRequest, key: String? = nil, within limit: Duration? = nil) async -> Answer {
    let journal = Journal()
    var response: HTTPResponse?
    var ending: Ending
    var failure: HTTPError?
    do {
      let answer = try await withEvents(ClosureSink { journal.record($0) }) {
        guard let limit else { return try await client.send(request, idempotencyKey: key) }
        return try await withDeadline(limit) { try await client.send(request, idempotencyKey: key) }
      }
      response = answer
      ending = .success(answer.status)
    } catch {
      ending = Ending(error)
      failure = error as? HTTPError
    }
    let (attempts, redirects) = journal.contents
    if let failure, failure.attempts != attempts {
      ending = .other("the error tells of \(failure.attempts) attempts, the events of \(attempts)")
    }
    probe.report(attempts + redirects.count, with: server)
    return Answer(
      ending: ending, response: response, error: failure, attempts: attempts, redirects: redirects)
  }

  /// Sends many requests at once, each at its place in the result.
  func askAll(_ requests: [HTTPRequest]) async -> [Answer] {
    await withTaskGroup(of: (Int, Answer).self) { group in
      for (index, request) in requests.enumerated() {
        group.addTask { (index, await ask(request)) }
      }
      var answers: [Int: Answer] = [:]
      for await (index, answer) in group { answers[index] = answer }
      return requests.indices.compactMap { answers[$0] }
    }
  }
}

/// The attempts of one call, with what its transport has repeated, and its redirects: by its events.
private final class Journal: Sendable {
  private let state = Mutex((attempts: 0, redirects: [Int]()))

  var contents: (attempts: Int, redirects: [Int]) { state.withLock { $0 } }

  func record(_ event: Event) {
    state.withLock { state in
      switch event.name {
      case "http.request": state.attempts += 1
      case "transport.repeated": state.attempts += (event["sends"].flatMap { Int($0) } ?? 1) - 1
      case "http.redirect": state.redirects.append(event["status"].flatMap { Int($0) } ?? 0)
      default: break
      }
    }
  }
}
