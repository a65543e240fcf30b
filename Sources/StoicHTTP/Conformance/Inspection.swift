import Foundation
import Stoic

/// One run of a check: the transport, the far end, and how long to wait.
struct Inspection: Sendable {
  typealias Rule = TransportConformance.Rule
  typealias Response = TransportConformance.Response
  /// What went wrong, by rule.
  typealias Findings = [(rule: Rule, text: String)]

  let transport: any HTTPTransport
  let base: URL
  let farEnd: TransportConformance.FarEnd
  let refusing: URL?
  let timeout: Duration
  let patience: Duration

  /// How an exchange ended.
  enum Outcome: Sendable {
    case answered(HTTPResponse)
    case failed(any Error)
    /// Not within the patience.
    case hung

    /// The response, where there is one.
    var response: HTTPResponse? {
      guard case .answered(let response) = self else { return nil }
      return response
    }

    /// What happened, in words.
    var words: String {
      switch self {
      case .answered(let response): "answered \(response.status) with \(response.body.count) bytes"
      case .failed(let error as TransportError): "failed: \(error)"
      case .failed(let error as URLError): "failed with URLError \(error.code.rawValue)"
      case .failed(let error): "failed with \(type(of: error))"
      case .hung: "did not end"
      }
    }
  }

  /// An exchange on its way.
  struct Sending: Sendable {
    let task: Task<Void, any Error>
    let ended: Latch<Outcome>
    let start: AmbientClock.Instant
  }

  /// Opens a station that gives these responses, the last again and again.
  func serving(_ responses: Response...) -> Station {
    farEnd.open { _, count in
      (responses.isEmpty ? nil : responses[min(count, responses.count - 1)]).map { .response($0) }
    }
  }

  /// Opens a station that closes every connection without a byte.
  func dropping() -> Station { farEnd.open { _, _ in .dropped } }

  /// Opens a station that is silent.
  func silence() -> Station { farEnd.open { _, _ in nil } }

  /// The URL of a station.
  func url(_ station: Station, _ suffix: String = "") -> URL? {
    let text = base.absoluteString.prefix { $0 != "?" && $0 != "#" }
    let root = text.hasSuffix("/") ? text.dropLast() : text
    return URL(string: root + TransportConformance.FarEnd.path(of: station) + suffix)
  }

  /// A request to a station.
  func request(
    _ station: Station, _ method: HTTPMethod = .get, suffix: String = "", headers: HTTPHeaders = [:],
    body: [UInt8] = [], timeout: Duration? = nil, mayRepeat: Bool? = nil
  ) -> TransportRequest {
    TransportRequest(
      method: method, url: url(station, suffix) ?? base, headers: headers, body: body, timeout: timeout,
      mayRepeat: mayRepeat ?? (method.isSafe && body.isEmpty))
  }

  /// Starts an exchange.
  func start(_ request: TransportRequest, limit: Int = 1 << 20, cancelled: Bool = false) -> Sending {
    let ended = Latch<Outcome>()
    let start = Ambient.clock.now
    let task = Ambient.task(name: "exchange") {
      if cancelled { withUnsafeCurrentTask { $0?.cancel() } }
      do {
        ended.set(.answered(try await transport.send(request, maxResponseBytes: limit)))
      } catch { ended.set(.failed(error)) }
    }
    return Sending(task: task, ended: ended, start: start)
  }

  /// Waits for an exchange's end, for a time; one that does not end is cancelled, let go of, and left behind if need be.
  func end(of sending: Sending, at station: Station?, within time: Duration? = nil) async throws -> Outcome {
    do {
      if let outcome = try await sending.ended.value(within: time ?? patience) { return outcome }
      sending.task.cancel()
      station?.release()
      _ = try await sending.ended.value(within: patience)
      return .hung
    } catch {
      sending.task.cancel()
      station?.release()
      throw error
    }
  }

  /// Makes an exchange.
  func exchange(_ request: TransportRequest, at station: Station?, limit: Int = 1 << 20) async throws
    -> Outcome
  {
    try await end(of: start(request, limit: limit), at: station)
  }

  /// Up to 70,000 bytes that show when one is lost, doubled or changed.
  static func bytes(_ count: Int) -> [UInt8] { Array(pattern.prefix(count)) }

  private static let pattern: [UInt8] = (0..<70_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
}
