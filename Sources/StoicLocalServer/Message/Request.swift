extension LocalServer {
  /// A request as it arrived.
  public struct Request: Sendable {
    /// The method, spelled as it was sent.
    public let method: String
    /// The target, spelled as it was sent.
    public let target: String
    /// The header fields in order, spelled as they were sent, without the spaces around their values.
    public let headers: [(name: String, value: String)]
    /// The body, its chunks joined.
    public let body: [UInt8]
    /// The fields after a chunked body's last chunk, in order and spelled as they were sent.
    public let trailers: [(name: String, value: String)]
    /// Whether it was read to its end; false while a body is to come, or when it was answered before that.
    public let isWhole: Bool
    /// The number of the connection it came on, from 1 in the order of acceptance.
    public let connection: Int
    /// Its number among the requests on that connection, from 1: a later one came on a connection used before.
    public let numberOnConnection: Int
    /// The head's exact bytes, from the request line to the empty line that ends it.
    public let headBytes: [UInt8]
    /// When its last byte was read, of a request that is not whole its head's.
    public let received: ContinuousClock.Instant

    /// The head as text, from the request line to the empty line that ends it; bytes that are no UTF-8 are replaced.
    public var head: String { String(decoding: headBytes, as: UTF8.self) }

    /// The body as text; bytes that are no UTF-8 are replaced.
    public var text: String { String(decoding: body, as: UTF8.self) }

    /// The path of the target, still percent-encoded, without scheme, authority and query.
    public var path: String {
      let target = RequestTarget(target)
      return String(decoding: target.path, as: UTF8.self)
    }

    /// The query's items, percent-decoded; of a repeated name the last value, and "" for a name without one.
    public var query: [String: String] {
      Dictionary(queryItems.map { ($0.name, $0.value ?? "") }, uniquingKeysWith: { _, last in last })
    }

    /// The query's items in order, percent-decoded; a name without `=` has no value.
    public var queryItems: [(name: String, value: String?)] { RequestTarget(target).queryItems }

    /// The value of the first field of that name, in any case.
    public func header(_ name: String) -> String? {
      headers.first { $0.name.equalsIgnoringCase(name) }?.value
    }

    /// The values of every field of that name, in any case, in order.
    public func headers(_ name: String) -> [String] {
      headers.filter { $0.name.equalsIgnoringCase(name) }.map(\.value)
    }

    init(_ parsed: ParsedRequest, isWhole: Bool, connection: Int, number: Int) {
      method = parsed.method
      target = parsed.target
      headers = parsed.headers
      body = parsed.body
      headBytes = parsed.head
      trailers = parsed.trailers
      self.isWhole = isWhole
      self.connection = connection
      numberOnConnection = number
      received = .now
    }
  }
}

extension String {
  /// Whether both are equal once ASCII letters are lower-cased.
  func equalsIgnoringCase(_ other: String) -> Bool {
    utf8.elementsEqual(other.utf8) { $0.asciiLowercased == $1.asciiLowercased }
  }

  /// The items of a field value that is a list of words.
  var listItems: [String] { split { $0 == "," || $0 == " " || $0 == "\t" }.map(String.init) }
}

extension UInt8 {
  var asciiLowercased: UInt8 { (0x41...0x5A).contains(self) ? self | 0x20 : self }
}
