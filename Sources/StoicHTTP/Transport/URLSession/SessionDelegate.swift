import Foundation
import Stoic

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Hands what the platform reports about a task to the task's flight.
///
/// What it does not answer is as much its work as what it does: see the redirect and the challenge.
final class SessionDelegate: NSObject, URLSessionDataDelegate {
  private let flights = Lock<[ObjectIdentifier: Flight]>([:])

  #if canImport(FoundationNetworking)
  /// Where the platform calls: serial, and short, so that a body in transit takes little memory.
  let queue: OperationQueue = BoundedQueue(limit: 64)
  #else
  /// Where the platform calls: serial.
  let queue: OperationQueue = {
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    return queue
  }()
  #endif

  func register(_ flight: Flight, for task: URLSessionTask) {
    flights.withLock { $0[ObjectIdentifier(task)] = flight }
  }

  private func flight(of task: URLSessionTask) -> Flight? {
    flights.withLock { $0[ObjectIdentifier(task)] }
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
  ) {
    completionHandler(.allow)
    guard let head = response as? HTTPURLResponse else { return }
    flight(of: dataTask)?.receive { $0.begin(head) }
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    flight(of: dataTask)?.receive { $0.append(data) }
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    guard let flight = flights.withLock({ $0.removeValue(forKey: ObjectIdentifier(task)) }) else { return }
    #if canImport(FoundationNetworking)
    // A cancellation of this task may be under way, waiting for the thread that waits to add to this queue.
    (queue as? BoundedQueue)?.withoutBound { flight.markCompleted() }
    #else
    flight.markCompleted()
    #endif
    flight.complete(error, response: task.response)
  }

  #if canImport(FoundationNetworking)
  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
  ) {
    // The redirect is the answer. The handler is never called: the task is cancelled instead, and a handler that is
    // called on a cancelled task ends the process.
    flight(of: task)?.receive { $0.end(response) }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    // It comes after the whole 401, which is the answer. Whatever the handler is told, the task never completes, or it
    // completes as cancelled.
    flight(of: task)?.receive { $0.end(challenge.failureResponse as? HTTPURLResponse) }
  }
  #else
  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
  ) {
    completionHandler(nil)
  }
  #endif
}
