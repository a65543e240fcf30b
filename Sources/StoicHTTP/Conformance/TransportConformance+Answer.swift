extension TransportConformance {
  /// A request as it arrived at the far end.
  public struct Arrival: Sendable {
    /// The method as written.
    public let method: String
    /// The path and the query as written: the request line's second word, or its like.
    public let target: String
    /// All fields, in order.
    public let headers: HTTPHeaders
    /// The body.
    public let body: [UInt8]

    /// Makes an arrival of what a server read.
    public init(method: String, target: String, headers: HTTPHeaders, body: [UInt8]) {
      self.method = method
      self.target = target
      self.headers = headers
      self.body = body
    }
  }

  /// What the far end has to answer, to the letter.
  public enum Answer: Sendable {
    /// This response.
    case response(Response)
    /// No response: the connection is closed without a byte.
    case dropped
  }

  /// A response as the far end has to send it.
  public struct Response: Sendable {
    /// How the end of the body is told.
    public enum Length: Sendable, Hashable {
      /// By a `Content-Length` of so many bytes, whatever the length of ``Response/body`` is.
      case declared(Int)
      /// By the framing, in such a way that a cut body can be told from a whole one: by chunks, or by HTTP/2.
      case undeclared
    }

    /// What comes after the bytes of the body.
    public enum Ending: Sendable, Hashable {
      /// The end of the body.
      case whole
      /// The end of the connection, where no body may end.
      case cut
      /// Nothing, for as long as the client stays.
      case stalled
    }

    /// The status.
    public let status: Int
    /// The fields, none of framing among them; repeated ones as fields of their own.
    public let headers: HTTPHeaders
    /// The bytes of the body to send.
    public let body: [UInt8]
    /// How the end of the body is told.
    public let length: Length
    /// What comes after those bytes.
    public let ending: Ending

    init(
      _ status: Int = 200, headers: HTTPHeaders = [:], body: [UInt8] = [], length: Length? = nil,
      ending: Ending = .whole
    ) {
      self.status = status
      self.headers = headers
      self.body = body
      self.length = length ?? .declared(body.count)
      self.ending = ending
    }
  }
}
