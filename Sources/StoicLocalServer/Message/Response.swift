extension LocalServer {
  /// What the server writes back; it writes what it is told, right or wrong.
  ///
  /// Nothing here is checked: an invalid header or a false `Content-Length` is sent as given, since it may be
  /// what the client's test is about.
  public struct Response: Sendable {
    /// The status code.
    public var status: Int
    /// The reason phrase, left out unless given.
    public var reason: String?
    /// The header fields in order, written as given.
    public var headers: [(name: String, value: String)]
    /// The steps before the status line, their bytes sent as they are: interim responses, gates, pauses, an early end.
    public var preface: [Piece]
    /// The steps of writing the body; skipped in answer to HEAD and with a status of 1xx, 204 or 304.
    public var body: [Piece]
    /// Whether the body is sent in chunks; then `Transfer-Encoding: chunked` is added unless a field of that name is given.
    public var chunked: Bool
    /// The fields after the last chunk in order, written as given; left out unless the body is sent in chunks.
    public var trailers: [(name: String, value: String)]
    /// Whether the body ends with the connection: no `Content-Length` is added; `chunked` wins over it.
    public var closeDelimited: Bool
    /// How long the server waits in real time before it writes the first byte.
    public var delay: Duration
    /// Whether a status line and header fields come before the body.
    var hasHead = true
    /// What comes between its bytes, in the order of their places.
    var interruptions: [Interruption] = []

    /// A response whose `Content-Length` is the length of all its pieces, unless it is given, chunked or close-delimited.
    public init(
      status: Int, headers: [(name: String, value: String)] = [], body: [Piece] = [], chunked: Bool = false,
      delay: Duration = .zero, closeDelimited: Bool = false, preface: [Piece] = [],
      trailers: KeyValuePairs<String, String> = [:]
    ) {
      self.status = status
      self.headers = headers
      self.body = body
      self.chunked = chunked
      self.delay = delay
      self.closeDelimited = closeDelimited
      self.preface = preface
      self.trailers = trailers.map { ($0, $1) }
    }

    /// The same with its header fields as a dictionary literal, in its order.
    public init(
      status: Int, headers: KeyValuePairs<String, String>, body: [Piece] = [], chunked: Bool = false,
      delay: Duration = .zero, closeDelimited: Bool = false, preface: [Piece] = [],
      trailers: KeyValuePairs<String, String> = [:]
    ) {
      self.init(
        status: status, headers: headers.map { ($0, $1) }, body: body, chunked: chunked, delay: delay,
        closeDelimited: closeDelimited, preface: preface, trailers: trailers)
    }

    /// A text with `Content-Type: text/plain; charset=utf-8`.
    public static func text(
      _ text: String, status: Int = 200, headers: [(name: String, value: String)] = []
    ) -> Response {
      let type = (name: "Content-Type", value: "text/plain; charset=utf-8")
      return Response(status: status, headers: [type] + headers, body: [.text(text)])
    }

    /// A text with its further header fields as a dictionary literal.
    public static func text(_ text: String, status: Int = 200, headers: KeyValuePairs<String, String>)
      -> Response
    {
      .text(text, status: status, headers: headers.map { ($0, $1) })
    }

    /// A JSON text, not checked, with `Content-Type: application/json`.
    public static func json(
      _ json: String, status: Int = 200, headers: [(name: String, value: String)] = []
    ) -> Response {
      let type = (name: "Content-Type", value: "application/json")
      return Response(status: status, headers: [type] + headers, body: [.text(json)])
    }

    /// A JSON text with its further header fields as a dictionary literal.
    public static func json(_ json: String, status: Int = 200, headers: KeyValuePairs<String, String>)
      -> Response
    {
      .json(json, status: status, headers: headers.map { ($0, $1) })
    }

    /// A text packed as one whole stream of that coding, with the `Content-Encoding` that says so.
    public static func packed(
      _ text: String, as coding: Coding, status: Int = 200, headers: KeyValuePairs<String, String> = [:]
    ) -> Response {
      let fields = [("Content-Encoding", coding.name)] + headers.map { ($0, $1) }
      return Response(status: status, headers: fields, body: [.packed(text, as: coding)])
    }

    /// A response without a body and without a `Content-Type`.
    public static func status(_ status: Int, headers: KeyValuePairs<String, String> = [:]) -> Response {
      Response(status: status, headers: headers)
    }

    /// Closes the connection (FIN) without a byte.
    public static var drop: Response { .raw([Piece.close]) }

    /// Resets the connection (RST) without a byte.
    public static var reset: Response { .raw([Piece.reset]) }

    /// Writes nothing until the client leaves or the server stops.
    public static var hang: Response { .raw([Piece.hang]) }

    /// Writes exactly these bytes in place of a response, then closes (FIN).
    ///
    /// - Parameter keepAlive: true leaves the connection open for a next request.
    public static func raw(_ bytes: [UInt8], keepAlive: Bool = false) -> Response {
      .raw(keepAlive ? [Piece.bytes(bytes)] : [Piece.bytes(bytes), Piece.close])
    }

    /// Writes exactly this text as UTF-8 in place of a response, then closes (FIN).
    ///
    /// - Parameter keepAlive: true leaves the connection open for a next request.
    public static func raw(_ text: String, keepAlive: Bool = false) -> Response {
      .raw(Array(text.utf8), keepAlive: keepAlive)
    }

    /// Writes this text as UTF-8 in place of a response, a line end (CRLF) for each bar in it, then closes (FIN).
    ///
    /// `.raw(lines: "HTTP/1.1 200 OK|Content-Length: 5||hello")` is a whole response.
    ///
    /// - Parameter keepAlive: true leaves the connection open for a next request.
    public static func raw(lines text: String, keepAlive: Bool = false) -> Response {
      .raw(text.utf8.flatMap { $0 == UInt8(ascii: "|") ? Array("\r\n".utf8) : [$0] }, keepAlive: keepAlive)
    }

    /// Runs the pieces in place of a response, with no head; the connection stays open unless a piece ends it.
    public static func raw(_ pieces: [Piece]) -> Response {
      var response = Response(status: 0, headers: [], body: pieces)
      response.hasHead = false
      return response
    }
  }
}
