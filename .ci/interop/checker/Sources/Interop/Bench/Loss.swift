import StoicHTTP

/// What a server does with a request on a connection that was used before.
struct Loss: Sendable {
  let name: String
  /// What is done over HTTP/1.1.
  let script: Script
  /// The same over HTTP/2: a path of its server's.
  var frames = ""
  /// With how long bodies it is tried.
  var sizes = [0, 10, 1 << 20]

  /// Those that every size of body is tried with.
  static let common = [
    Loss(name: "an end", script: Script().end(), frames: "/dropped"),
    Loss(name: "a reset", script: Script().reset(), frames: "/reset"),
    Loss(name: "half a status line", script: Script().say("HTTP/1.1 2").end(), frames: "/torn"),
  ]

  static let others = [
    Loss(name: "half a head", script: Script().say("HTTP/1.1 200 OK|Content-Le").reset(), sizes: [0, 10]),
    Loss(
      name: "half a body", script: Script().say("HTTP/1.1 200 OK|Content-Length: 9||half").end(),
      frames: "/half", sizes: [0, 10]),
    Loss(name: "an end before the body", script: Script().early().end(), sizes: [1 << 20]),
    Loss(name: "a reset before the body", script: Script().early().reset(), sizes: [1 << 20]),
  ]

  /// What answers, and keeps the connection.
  static let warm = Script().say("HTTP/1.1 200 OK|Content-Length: 4||warm").path
}

/// A request whose connection is lost, by its number, which stands in its target.
struct LostRequest: Sendable {
  let number: Int
  let method: HTTPMethod
  let size: Int
  let loss: Loss

  /// Each loss with each method and each size of body that go together.
  static func all(_ losses: [Loss], _ methods: [HTTPMethod]) -> [LostRequest] {
    let kinds = losses.flatMap { loss in
      methods.flatMap { method in
        loss.sizes.filter { $0 == 0 || method != .get }.map { (loss, method, $0) }
      }
    }
    return kinds.enumerated().map { LostRequest(number: $0, method: $1.1, size: $1.2, loss: $1.0) }
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

  /// What goes before it, so that there is a connection that was used.
  func warmUp(_ method: HTTPMethod, _ path: String = Loss.warm) -> HTTPRequest {
    var request = HTTPRequest(method: method, path: path)
    request.query = [HTTPRequest.QueryItem("warm", "\(number)")]
    return request
  }

  /// How often it is sent.
  var attempts: Int { method.isIdempotent ? 3 : 1 }

  /// Whether an arrival is one of its attempts.
  func isSeen(in arrival: Arrival) -> Bool { arrival.target.hasSuffix("?n=\(number)") }

  /// What is wrong with how it ended and with what the server saw of it.
  ///
  /// - Parameter warmedOver: whether an arrival is what went before it on the same connection.
  func complaints(
    _ answer: Answer, _ arrivals: [Arrival], warmedOver isWarmUp: (Arrival) -> Bool = { _ in true }
  ) -> [String] {
    let seen = arrivals.filter(isSeen)
    let before = arrivals.filter { $0.target.hasSuffix("?warm=\(number)") && isWarmUp($0) }
    var complaints: [String] = []
    if answer.ending != .transport(.networkConnectionLost) { complaints.append("ended as \(answer.ending)") }
    if answer.error?.call.mayHaveActed != true { complaints.append("may have acted") }
    if seen.count != answer.attempts {
      complaints.append("\(answer.attempts) attempts, seen \(seen.count) times")
    }
    // That there was a danger.
    if seen.first?.connection != before.last?.connection { complaints.append("not on the used connection") }
    return complaints.map { "\(method), \(size) bytes, \(loss.name): \($0)" }
  }
}

extension Probe {
  /// Runs each on clients of its own, eight at a time.
  func answers(
    to requests: [LostRequest], _ ask: @escaping @Sendable (LostRequest) async -> Answer
  ) async -> [(request: LostRequest, answer: Answer)] {
    await withTaskGroup(of: (LostRequest, Answer).self) { group in
      var answers: [(request: LostRequest, answer: Answer)] = []
      for (index, request) in requests.enumerated() {
        if index >= 8, let answer = await group.next() { answers.append(answer) }
        group.addTask { (request, await ask(request)) }
      }
      for await answer in group { answers.append(answer) }
      return answers
    }
  }
}
