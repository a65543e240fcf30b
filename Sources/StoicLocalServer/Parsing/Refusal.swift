/// Why a request is not taken: the status that says so, and words that quote nothing of the request.
package struct Refusal: Error, Equatable, Sendable {
  package let status: Int
  package let reason: String

  static func malformed(_ reason: String) -> Refusal { Refusal(status: 400, reason: reason) }

  static let bodyTooLong = Refusal(status: 413, reason: "body too long")
  static let headTooLong = Refusal(status: 431, reason: "head too long")
  static let unknownCoding = Refusal(status: 501, reason: "unknown transfer coding")
  static let unknownVersion = Refusal(status: 505, reason: "unknown HTTP version")
}
