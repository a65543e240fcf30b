import Foundation
import Stoic
import StoicHTTP

/// A transport that keeps every rule but one.
struct BrokenTransport: HTTPTransport, CustomStringConvertible {
  typealias Send = @Sendable (TransportRequest, Int) async throws -> HTTPResponse

  let description: String
  let rule: TransportConformance.Rule
  /// Makes the broken sending of a sound one, with a memory of its own.
  private let breaking: @Sendable (@escaping Send) -> Send
  private let trustsCuts: Bool
  private var broken: Send?

  init(
    _ description: String, _ rule: TransportConformance.Rule, trustsCuts: Bool = false,
    _ breaking: @escaping @Sendable (@escaping Send) -> Send
  ) {
    self.description = description
    self.rule = rule
    self.breaking = breaking
    self.trustsCuts = trustsCuts
  }

  /// This transport in front of a far end.
  func reaching(_ farEnd: TransportConformance.FarEnd) -> BrokenTransport {
    let sound = MemoryTransport(farEnd: farEnd, trustsCuts: trustsCuts)
    var copy = self
    copy.broken = breaking { try await sound.send($0, maxResponseBytes: $1) }
    return copy
  }

  var enforcesTimeout: Bool { true }

  func send(_ request: TransportRequest, maxResponseBytes: Int) async throws -> HTTPResponse {
    guard let broken else { throw TransportError(.cannotConnectToHost) }
    return try await broken(request, maxResponseBytes)
  }
}

extension BrokenTransport {
  static let all = aboutExchanges + aboutRequests + aboutResponses + aboutEndings

  private static let aboutExchanges = [
    BrokenTransport("follows redirects", .noRedirect) { send in
      { request, limit in
        let response = try await send(request, limit)
        let location = (300...399).contains(response.status) ? response.headers["Location"] : nil
        guard let url = location.flatMap({ URL(string: $0) }) else { return response }
        return try await send(request.with(url: url), limit)
      }
    },
    BrokenTransport("repeats a request that failed", .noRepeat) { send in
      { request, limit in
        do { return try await send(request, limit) } catch let error as TransportError {
          guard error.code == .networkConnectionLost else { throw error }
          return try await send(request, limit)
        }
      }
    },
    BrokenTransport("repeats a request that met 503", .noRepeat) { send in
      { request, limit in
        let response = try await send(request, limit)
        return response.status == 503 ? try await send(request, limit) : response
      }
    },
    BrokenTransport("answers challenges", .noChallenge) { send in
      { request, limit in
        let response = try await send(request, limit)
        return response.status == 401 ? try await send(request, limit) : response
      }
    },
    BrokenTransport("mixes up exchanges at the same time", .answersApart) { send in
      let current = Shared<TransportRequest?>(nil)
      return { request, limit in
        current.value.withLock { $0 = request }
        try await Ambient.sleep(for: .microseconds(1))
        return try await send(current.value.withLock { $0 } ?? request, limit)
      }
    },
    BrokenTransport("keeps answers", .noCache) { send in
      let kept = Shared<[URL: HTTPResponse]>([:])
      return { request, limit in
        if request.method == .get, let old = kept.value.withLock({ $0[request.url] }) { return old }
        let response = try await send(request, limit)
        if response.headers.contains("Cache-Control") { kept.value.withLock { $0[request.url] = response } }
        return response
      }
    },
    BrokenTransport("keeps cookies", .noCookies) { send in
      let kept = Shared<[String: String]>([:])
      return { request, limit in
        // By path, so that the cookies of one case do not come as extra fields in another.
        let cookie = kept.value.withLock { $0[request.url.path] }
        let headers = cookie.map { request.headers + [.init("Cookie", $0)] } ?? Array(request.headers)
        let response = try await send(request.with(headers: HTTPHeaders(headers)), limit)
        if let cookie = response.headers["Set-Cookie"] {
          kept.value.withLock { $0[request.url.path] = cookie }
        }
        return response
      }
    },
  ]

  private static let aboutRequests = [
    BrokenTransport("writes methods in capitals", .method) { send in
      { try await send($0.with(method: HTTPMethod($0.method.name.uppercased())), $1) }
    },
    BrokenTransport("undoes escapes", .target) { send in
      { request, limit in
        let text = request.url.absoluteString.replacing("%2F", with: "/")
        return try await send(request.with(url: URL(string: text)), limit)
      }
    },
    BrokenTransport("puts its own name in place of the request's", .requestFields) { send in
      { request, limit in
        var headers = request.headers
        if headers.contains("x-lower") { headers["User-Agent"] = "another" }
        return try await send(request.with(headers: headers), limit)
      }
    },
    BrokenTransport("names a language", .noExtraFields) { send in
      { request, limit in
        var headers = request.headers
        if !headers.contains("Accept-Language") { headers.add("Accept-Language", "en") }
        return try await send(request.with(headers: headers), limit)
      }
    },
    BrokenTransport("sends no more than 64 KiB", .requestBody) { send in
      { try await send($0.with(body: Array($0.body.prefix(65_536))), $1) }
    },
  ]

  private static let aboutResponses = [
    BrokenTransport("takes an unknown success for a 200", .statuses) { send in
      { request, limit in
        let response = try await send(request, limit)
        return response.status == 226 ? response.with(status: 200) : response
      }
    },
    BrokenTransport("drops the body of a redirect", .redirectBody) { send in
      { request, limit in
        let response = try await send(request, limit)
        return response.status / 100 == 3 ? response.with(body: []) : response
      }
    },
    BrokenTransport("leaves out a field", .responseFields) { send in
      { request, limit in
        let response = try await send(request, limit)
        return response.with(headers: HTTPHeaders(response.headers.filter { $0.name != "X-Empty" }))
      }
    },
    BrokenTransport("loses the end of a long body", .responseBody) { send in
      { request, limit in
        let response = try await send(request, limit)
        return response.body.count > 65_536 ? response.with(body: response.body.dropLast()) : response
      }
    },
    BrokenTransport("loses repeated fields", .repeatedFields) { send in
      { request, limit in
        let response = try await send(request, limit)
        var headers = HTTPHeaders()
        for field in response.headers { headers[field.name] = field.value }
        return response.with(headers: headers)
      }
    },
    BrokenTransport("turns repeated fields round", .repeatedFields) { send in
      { try await send($0.with(headers: HTTPHeaders($0.headers.reversed())), $1) }
    },
    BrokenTransport("joins repeated fields", .fieldsApart) { send in
      { request, limit in
        let response = try await send(request, limit)
        var headers = HTTPHeaders()
        for field in response.headers { headers[field.name] = response.headers[field.name] }
        return response.with(headers: headers)
      }
    },
    BrokenTransport("takes names of another case for the same field twice", .fieldNameCase) { send in
      { request, limit in
        let response = try await send(request, limit)
        return response.with(headers: HTTPHeaders(response.headers.filter { $0.name != "x-case" }))
      }
    },
    BrokenTransport("believes a HEAD that speaks of a long body", .bodiless) { send in
      { request, limit in
        let response = try await send(request, limit)
        return request.method == .head && limit == 10 ? response.with(isTruncated: true) : response
      }
    },
    BrokenTransport("ignores the limit", .responseLimit) { send in
      { request, _ in try await send(request, .max) }
    },
    BrokenTransport("does not say that it cut a body", .truncationFlag) { send in
      { try await send($0, $1).with(isTruncated: false) }
    },
    BrokenTransport("takes a cut body for a whole one", .wholeOrFailed, trustsCuts: true) { $0 },
  ]

  private static let aboutEndings = [
    BrokenTransport("fails in words of its own", .honestFailure) { send in
      struct Own: Error {}
      return { request, limit in
        do { return try await send(request, limit) } catch let error as TransportError {
          throw error.code == .networkConnectionLost ? Own() : error
        }
      }
    },
    BrokenTransport("says that the server has not acted when it may have", .honestFailure) { send in
      { request, limit in
        do { return try await send(request, limit) } catch let error as TransportError {
          throw TransportError(code: error.code, mayHaveActed: error.code == .timedOut)
        }
      }
    },
    BrokenTransport("ignores the timeout that it says it enforces", .timeout) { send in
      { try await send($0.with(timeout: .some(nil)), $1) }
    },
    BrokenTransport("ends before the timeout", .timeout) { send in
      { try await send($0.with(timeout: .some($0.timeout.map { $0 / 2 })), $1) }
    },
    BrokenTransport("swallows cancellation", .cancellation) { send in
      { request, limit in
        // A task of its own knows nothing of the caller's cancellation.
        try await Ambient.task {
          try await withDeadline(.seconds(60)) { try await send(request, limit) }
        }.value
      }
    },
    BrokenTransport("lets go of a cancelled caller and not of the exchange", .cancellation) { send in
      { request, limit in
        let ending = Shared<Result<HTTPResponse, any Error>?>(nil)
        Ambient.task {
          do {
            let response = try await withDeadline(.seconds(60)) { try await send(request, limit) }
            ending.value.withLock { $0 = .success(response) }
          } catch { ending.value.withLock { $0 = .failure(error) } }
        }
        while true {
          if let ending = ending.value.withLock({ $0 }) { return try ending.get() }
          try await Ambient.sleep(for: .milliseconds(1))
        }
      }
    },
  ]
}

/// A value that several exchanges share.
final class Shared<Value: Sendable>: Sendable {
  let value: Lock<Value>
  init(_ value: Value) { self.value = Lock(value) }
}
