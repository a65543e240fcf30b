#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking
import StoicLocalServer

/// The loading system as it comes on Linux, with nothing of ours on top: what an article's reader would write.
///
/// Its tests state facts, so that it is seen when one of them changes; what Stoic makes of them is tested beside them.
final class Platform: Sendable {
  private let session: URLSession

  /// No test is to fail since something else kept the machine busy for a minute, after which the platform gives up.
  static var configuration: URLSessionConfiguration {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForRequest = 3_600
    return configuration
  }

  init(delegate: (any URLSessionDelegate)? = nil) {
    session = URLSession(configuration: Self.configuration, delegate: delegate, delegateQueue: nil)
  }

  deinit { session.finishTasksAndInvalidate() }

  struct Exchange {
    let response: HTTPURLResponse
    let text: String

    var status: Int { response.statusCode }

    func field(_ name: String) -> String? { response.value(forHTTPHeaderField: name) }
  }

  /// One request, and its response with the text of its body.
  ///
  /// - Throws: whatever the platform throws.
  func send(
    _ method: String = "GET", _ server: LocalServer, _ path: String = "/", headers: [String: String] = [:],
    body: String? = nil
  ) async throws -> Exchange {
    var request = URLRequest(url: server.baseURL.appending(path: path))
    // The request's own time counts for more than the session's.
    request.timeoutInterval = Self.configuration.timeoutIntervalForRequest
    request.httpMethod = method
    request.httpBody = body.map { Data($0.utf8) }
    for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
    let (data, response) = try await session.data(for: request)
    guard let response = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
    return Exchange(response: response, text: String(decoding: data, as: UTF8.self))
  }

  /// The platform's code for a request that fails; nil for one that does not.
  func failure(
    _ method: String = "GET", _ server: LocalServer, _ path: String = "/", body: String? = nil
  ) async -> URLError.Code? {
    do {
      _ = try await send(method, server, path, body: body)
      return nil
    } catch {
      return (error as? URLError)?.code
    }
  }
}
#endif
