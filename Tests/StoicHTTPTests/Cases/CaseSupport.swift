import Foundation
import Stoic
import StoicHTTP
import StoicTesting
import Testing

extension Rig {
  /// A rig whose client and whose requests carry secrets of every sort.
  static func carryingSecrets(base: String = "https://a.test") -> Rig {
    var rig = Rig()
    rig.base = base
    rig.headers = ["Authorization": "Bearer SECRET", "X-API-Key": "SECRET", "Cookie": "SECRET"]
    return rig
  }

  /// Lets a client send the same request again and again, whatever comes of it, and returns the last call's error.
  func repeating(_ count: Int, _ request: HTTPRequest, over api: HTTPClient) async -> HTTPError? {
    var last: HTTPError?
    for _ in 0..<count {
      last = await failure { _ in try await api.send(request) } as? HTTPError
    }
    return last
  }

  /// How many of thirty calls of one attempt each reach the transport: 20 where each counts as a failure of the host, 30
  /// where none does.
  func reached(_ request: HTTPRequest) async -> Int {
    var rig = self
    rig.policy.retry.maxAttempts = 1
    rig.policy.attemptTimeout = .seconds(1)
    _ = await rig.repeating(30, request, over: rig.api)
    return transport.requests.count
  }

  /// The names of the fields of each request, in small letters and in order.
  var sentNames: [[String]] {
    transport.requests.map { $0.headers.map { $0.name.lowercased() }.sorted() }
  }
}

extension ScriptedTransport.Step {
  /// A redirect.
  static func redirect(_ status: Int, to location: String) -> ScriptedTransport.Step {
    .status(status, headers: ["Location": location])
  }
}

extension HTTPRequest {
  /// A request with a body of bytes, for any method.
  static func carrying(_ method: HTTPMethod, _ path: String, _ body: [UInt8] = [1, 2, 3]) -> HTTPRequest {
    HTTPRequest(method: method, path: path, headers: ["Content-Type": "a/b"], body: .bytes(body))
  }
}

extension String {
  /// This text in small letters, in capitals, and in alternating ones.
  var inOtherCases: [String] {
    let mixed = enumerated().map { $0.offset % 2 == 0 ? $0.element.lowercased() : $0.element.uppercased() }
    return [lowercased(), uppercased(), mixed.joined()]
  }
}

/// A transport that answers at once, by the number of the request and the request itself.
///
/// With a `Rig`'s clock, which moves to the next timer by itself, let it keep the time: else its own is that timer.
final class AnsweringTransport: HTTPTransport {
  private let asked = Lock<[TransportRequest]>([])
  private let answer: @Sendable (Int, TransportRequest) async throws -> HTTPResponse

  /// Whether it says that it keeps the time.
  let enforcesTimeout: Bool

  init(
    enforcesTimeout: Bool = true,
    _ answer: @escaping @Sendable (Int, TransportRequest) async throws -> HTTPResponse
  ) {
    self.enforcesTimeout = enforcesTimeout
    self.answer = answer
  }

  var requests: [TransportRequest] { asked.withLock { $0 } }

  func send(_ request: TransportRequest, maxResponseBytes: Int) async throws -> HTTPResponse {
    let index = asked.withLock { asked in
      asked.append(request)
      return asked.count - 1
    }
    return try await answer(index, request)
  }
}

/// A value that several tasks of a test share.
final class Kept<Value: Sendable>: Sendable {
  private let lock: Lock<Value>

  init(_ value: Value) {
    lock = Lock(value)
  }

  var value: Value { lock.withLock { $0 } }

  /// Changes the value, and returns it.
  @discardableResult
  func change(_ body: @Sendable (inout Value) -> Void) -> Value {
    lock.withLock { value in
      body(&value)
      return value
    }
  }
}
