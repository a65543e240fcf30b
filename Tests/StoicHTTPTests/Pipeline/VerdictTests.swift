import Foundation
import StoicHTTP
import Testing

@Suite("The table of outcomes")
struct VerdictTests {
  private func verdict(_ outcome: AttemptOutcome, of request: HTTPRequest = .get("/x")) throws -> Verdict {
    let base = try BaseURL(makeURL("https://h"))
    let prepared = try PreparedRequest(request, base: base, defaults: [:], key: nil)
    return Verdict(outcome, of: prepared, policy: Rig.pinned)
  }

  private func answered(_ status: Int, headers: HTTPHeaders = [:], isTruncated: Bool = false)
    -> AttemptOutcome
  {
    .answered(HTTPResponse(status: status, headers: headers, isTruncated: isTruncated))
  }

  @Test(
    "A breaker counts 5xx and statuses outside 100...599, and nothing below 500",
    arguments: [
      (200, Verdict.BreakerCount.success), (206, .success), (304, .success), (404, .success), (408, .success),
      (429, .success), (499, .success), (500, .failure), (503, .failure), (599, .failure), (600, .failure),
      (999, .failure), (0, .failure), (99, .failure), (100, .failure), (-1, .failure),
    ])
  func breakerByStatus(status: Int, count: Verdict.BreakerCount) throws {
    #expect(try verdict(answered(status)).breaker == count)
  }

  @Test(
    "Failures of the host count, those of the device, the request, the size and the caller do not",
    arguments: [
      (.timedOut(mayHaveActed: true), .failure), (.failed(TransportError(.networkConnectionLost)), .failure),
      (.failed(TransportError(.serverCertificateUntrusted)), .failure),
      (.failed(TransportError(.notConnectedToInternet)), .neutral),
      (.failed(TransportError(.callIsActive)), .neutral),
      (.failed(TransportError(.cancelled)), .neutral), (.failed(TransportError(.badURL)), .neutral),
      (.failed(TransportError(.unknown)), .neutral), (.deadlinePassed, .neutral), (.cancelled, .neutral),
      (.answered(HTTPResponse(status: 200, isTruncated: true)), .neutral),
    ] as [(AttemptOutcome, Verdict.BreakerCount)])
  func breakerByFailure(outcome: AttemptOutcome, count: Verdict.BreakerCount) throws {
    #expect(try verdict(outcome).breaker == count)
  }

  @Test("A part of a document is a success only for who asked for it")
  func ranges() throws {
    #expect(try !verdict(answered(206)).isSuccess)
    #expect(try verdict(answered(206), of: .get("/x").header("range", "bytes=0-9")).isSuccess)
  }

  @Test("An error advises others as the standard policy would")
  func advice() {
    let call = CallRecord()
    #expect(HTTPError.status(503, excerpt: "", retryAfter: nil, call: call).retryAdvice == .retry)
    #expect(
      HTTPError.status(429, excerpt: "", retryAfter: .seconds(5), call: call).retryAdvice
        == .retryAfter(.seconds(5)))
    #expect(
      HTTPError.status(429, excerpt: "", retryAfter: .seconds(9_999), call: call).retryAdvice
        == .retryAfter(.seconds(60)))
    #expect(HTTPError.status(404, excerpt: "", retryAfter: .seconds(5), call: call).retryAdvice == .final)
    #expect(HTTPError.transport(.networkConnectionLost, call: call).retryAdvice == .retry)
    #expect(HTTPError.transport(.unknown, call: call).retryAdvice == .final)
    #expect(HTTPError.timedOut(attempt: 1, call: call).retryAdvice == .retry)
    #expect(HTTPError.rejected(Rejection(.deadlineExceeded), call: call).retryAdvice == .final)
    #expect(HTTPError.invalidRequest("").retryAdvice == .final && HTTPError.invalidRequest("").attempts == 0)
  }
}
