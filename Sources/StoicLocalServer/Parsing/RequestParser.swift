/// Reads requests from the bytes of one connection, however they are cut.
///
/// It holds no more than what was appended and not yet taken, plus the request being read, which the limits
/// bound. Append, then call `next()` until it is `.incomplete`. After a refusal it repeats it.
package struct RequestParser: Sendable {
  package enum Event: Sendable {
    /// More bytes are needed.
    case incomplete
    /// The head of a request whose body is to come, and whether the client waits for `100 Continue`.
    case head(ParsedRequest, awaitsContinue: Bool)
    case request(ParsedRequest)
    case refused(Refusal)
  }

  private enum State {
    case start(afterEmptyLine: Bool)
    case fields
    case body(left: Int)
    case chunkSize
    case chunk(left: Int)
    case chunkEnd
    case trailer(bytes: Int)
    case refused(Refusal)
  }

  private static let chunkLineBytes = 4096

  private let headLimit: Int
  private let bodyLimit: Int
  private var state = State.start(afterEmptyLine: false)
  private var request = ParsedRequest()
  private var buffer: [UInt8] = []
  /// The first byte of `buffer` not taken yet.
  private var position = 0
  /// The first byte of `buffer` not searched for the end of a line.
  private var scanned = 0

  package init(headLimit: Int, bodyLimit: Int) {
    self.headLimit = headLimit
    self.bodyLimit = bodyLimit
  }

  /// The bytes appended and not taken yet.
  package var bufferedBytes: Int { buffer.count - position }

  /// Whether it is in the middle of a request.
  package var hasBegun: Bool {
    if case .start = state { return bufferedBytes > 0 }
    return true
  }

  package mutating func append(_ bytes: some Collection<UInt8>) {
    buffer.append(contentsOf: bytes)
  }

  package mutating func next() -> Event {
    defer { compact() }
    do throws(Refusal) {
      while true {
        if let event = try step() { return event }
      }
    } catch {
      state = .refused(error)
      buffer = []
      position = 0
      scanned = 0
      return .refused(error)
    }
  }

  /// Takes one line or one stretch of body; nil when there may be more to take.
  private mutating func step() throws(Refusal) -> Event? {
    switch state {
    case .start(let afterEmptyLine):
      guard let line = try takeLine(upTo: headLimit, else: .headTooLong) else { return .incomplete }
      if line.isEmpty, !afterEmptyLine {
        state = .start(afterEmptyLine: true)
      } else {
        try HeadGrammar.readRequestLine(line, into: &request)
        keepHead(line)
        state = .fields
      }
    case .fields:
      let room = headLimit - request.head.count
      guard let line = try takeLine(upTo: room, else: .headTooLong) else { return .incomplete }
      if !line.isEmpty { request.headers.append(try HeadGrammar.readField(line)) }
      keepHead(line)
      if line.isEmpty { return try beginBody() }
    case .body(let left):
      state = .body(left: left - takeBody(left))
      if case .body(left: 0) = state { return finish() }
      return .incomplete
    case .chunkSize:
      let limit = Self.chunkLineBytes
      guard let line = try takeLine(upTo: limit, else: .malformed("bad chunk size")) else {
        return .incomplete
      }
      let size = try HeadGrammar.chunkSize(line)
      guard size <= bodyLimit - request.body.count else { throw .bodyTooLong }
      state = size == 0 ? .trailer(bytes: 0) : .chunk(left: size)
    case .chunk(let left):
      let taken = takeBody(left)
      state = taken == left ? .chunkEnd : .chunk(left: left - taken)
      if taken < left { return .incomplete }
    case .chunkEnd:
      for (offset, byte) in [UInt8(ascii: "\r"), UInt8(ascii: "\n")].enumerated() {
        guard position + offset < buffer.count else { return .incomplete }
        guard buffer[position + offset] == byte else { throw .malformed("bad end of a chunk") }
      }
      position += 2
      scanned = position
      state = .chunkSize
    case .trailer(let bytes):
      guard let line = try takeLine(upTo: headLimit - bytes, else: .headTooLong) else { return .incomplete }
      if line.isEmpty { return finish() }
      request.trailers.append(try HeadGrammar.readField(line))
      state = .trailer(bytes: bytes + line.count + 2)
    case .refused(let refusal):
      throw refusal
    }
    return nil
  }

  private mutating func beginBody() throws(Refusal) -> Event? {
    switch try HeadGrammar.framing(of: request) {
    case .length(0):
      return finish()
    case .length(let length):
      guard length <= bodyLimit else { throw .bodyTooLong }
      state = .body(left: length)
    case .chunked:
      state = .chunkSize
    }
    let awaitsContinue = request.values("Expect").contains { $0.equalsIgnoringCase("100-continue") }
    return .head(request, awaitsContinue: awaitsContinue && request.minorVersion >= 1)
  }

  private mutating func finish() -> Event {
    defer {
      request = ParsedRequest()
      state = .start(afterEmptyLine: false)
    }
    return .request(request)
  }

  /// The next line without its CRLF, of at most `limit` bytes with it; nil when it is not there yet.
  private mutating func takeLine(upTo limit: Int, else tooLong: Refusal) throws(Refusal) -> ArraySlice<UInt8>?
  {
    while scanned < buffer.count {
      guard scanned - position < limit else { throw tooLong }
      let byte = buffer[scanned]
      let followsCR = scanned > position && buffer[scanned - 1] == UInt8(ascii: "\r")
      guard (byte == UInt8(ascii: "\n")) == followsCR, byte != 0 else {
        throw .malformed("bad end of a line")
      }
      scanned += 1
      if byte == UInt8(ascii: "\n") {
        defer { position = scanned }
        return buffer[position..<(scanned - 2)]
      }
    }
    return nil
  }

  private mutating func keepHead(_ line: ArraySlice<UInt8>) {
    request.head += line
    request.head += [UInt8(ascii: "\r"), UInt8(ascii: "\n")]
  }

  /// Moves what is there of `wanted` bytes to the body.
  private mutating func takeBody(_ wanted: Int) -> Int {
    let count = min(wanted, bufferedBytes)
    request.body += buffer[position..<(position + count)]
    position += count
    scanned = position
    return count
  }

  /// Forgets the bytes taken, seldom enough that each is moved a bounded number of times.
  private mutating func compact() {
    guard position == buffer.count || position > buffer.count / 2 else { return }
    buffer.removeFirst(position)
    scanned -= position
    position = 0
  }
}
