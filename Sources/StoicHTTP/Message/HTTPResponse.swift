public import Foundation
public import StoicJSON

/// A response: a status, header fields, and the whole body.
public struct HTTPResponse: Sendable, Hashable {
  /// The status code as it came; any integer, since servers send any.
  public let status: Int
  /// The header fields, in the order in which they came, repeated fields kept apart.
  public let headers: HTTPHeaders
  /// The body, decompressed; what was read of it where ``isTruncated`` says so.
  public let body: [UInt8]
  /// Where the response came from, redirects followed.
  public let url: URL
  /// Whether the body was longer than allowed, and reading stopped.
  public let isTruncated: Bool
  /// How many times the transport sent the request again on its own.
  package var repeats = 0

  /// Makes a response: a transport's answer, or a test's.
  public init(
    status: Int, headers: HTTPHeaders = [:], body: [UInt8] = [], url: URL = URL(filePath: "/"),
    isTruncated: Bool = false
  ) {
    self.status = status
    self.headers = headers
    self.body = body
    self.url = url
    self.isTruncated = isTruncated
  }

  /// The media type in small letters, without parameters; nil when the response names none.
  public var mediaType: String? {
    headers.contentType?.essence
  }

  /// The body as text by its charset: UTF-8 unless named, ISO-8859-1, US-ASCII and UTF-16 as well.
  ///
  /// Nil when the charset is another one or the body does not fit it.
  public var text: String? {
    switch headers.contentType?.charset ?? "utf-8" {
    case "utf-8", "utf8": String(validating: body, as: UTF8.self)
    case "us-ascii", "ascii": String(bytes: body, encoding: .ascii)
    case "iso-8859-1", "latin1": String(bytes: body, encoding: .isoLatin1)
    case "utf-16": String(bytes: body, encoding: .utf16)
    case "utf-16le": String(bytes: body, encoding: .utf16LittleEndian)
    case "utf-16be": String(bytes: body, encoding: .utf16BigEndian)
    default: nil
    }
  }

  /// The body as JSON.
  ///
  /// - Throws: `JSONError` with the place of the first fault.
  public func json() throws -> JSON {
    try JSON(parsing: body)
  }
}

extension HTTPResponse: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Status, size and where it came from; neither the body nor a query.
  public var description: String {
    "\(status) from \(url.withoutSecrets), \(body.count) bytes\(isTruncated ? ", truncated" : "")"
  }

  /// The same as ``description``.
  public var debugDescription: String { description }

  /// The response without its body, header values redacted.
  public var customMirror: Mirror {
    Mirror(self, children: ["response": description, "headers": headers])
  }
}
