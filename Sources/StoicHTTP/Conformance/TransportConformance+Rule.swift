extension TransportConformance {
  /// One obligation of a transport; its raw value is a name that stays.
  @nonexhaustive
  public enum Rule: String, Sendable, Hashable, CaseIterable {
    /// A redirect is the answer: its target is not asked.
    case noRedirect = "no_redirect"
    /// A request that must not be repeated arrives once, whatever is answered, also on a connection that was used before.
    case noRepeat = "no_repeat"
    /// A challenge (401) is the answer: it is not responded to.
    case noChallenge = "no_challenge"
    /// A method arrives as it is written, unknown ones and small letters included.
    case method
    /// A path and a query arrive as they are written, escapes included.
    case target
    /// Header fields arrive with their values.
    case requestFields = "request_fields"
    /// No field arrives that is not the request's, those of framing and connection aside.
    case noExtraFields = "no_extra_fields"
    /// A body arrives byte for byte, an empty one empty.
    case requestBody = "request_body"
    /// A status from 200 to 599 is delivered as it is, with its body, that of a redirect aside.
    case statuses
    /// The body of a redirect (3xx) is delivered.
    case redirectBody = "redirect_body"
    /// Header fields are delivered with their values, and the response says where it came from.
    case responseFields = "response_fields"
    /// A body is delivered byte for byte, its length declared or not.
    case responseBody = "response_body"
    /// No value of a repeated field is lost, in either direction, and they stay in order; they may be joined by commas.
    case repeatedFields = "repeated_fields"
    /// The values of a repeated field stay apart in either direction: without it `Set-Cookie` cannot be read.
    case fieldsApart = "fields_apart"
    /// No value is lost of fields whose names differ in case only.
    case fieldNameCase = "field_name_case"
    /// Responses to HEAD, and 204, 205 and 304, have no body and no limit.
    case bodiless
    /// No more of a body than the limit is delivered, with the head, and the rest is not waited for.
    case responseLimit = "response_limit"
    /// A response says that it is truncated if its body was longer than the limit, and only then.
    case truncationFlag = "truncation_flag"
    /// A body that ends before its announced end is a failure.
    case wholeOrFailed = "whole_or_failed"
    /// Failures are ``TransportError`` or `URLError`, and say whether the server may have acted.
    case honestFailure = "honest_failure"
    /// The exchange ends by the request's timeout, at either end; only for a transport that says it enforces it.
    case timeout
    /// A cancelled exchange ends, with `CancellationError` or the code `cancelled`, at either end.
    case cancellation
    /// Exchanges at the same time get their own answers.
    case answersApart = "answers_apart"
    /// An exchange is not answered from an earlier one.
    case noCache = "no_cache"
    /// An exchange brings no cookie of an earlier one.
    case noCookies = "no_cookies"
  }
}

extension TransportConformance.Rule: CustomStringConvertible {
  /// The name.
  public var description: String { rawValue }
}
