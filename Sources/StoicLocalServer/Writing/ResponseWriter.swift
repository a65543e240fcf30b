/// Makes the bytes of one response, a bounded stretch at a time.
package struct ResponseWriter: Sendable {
  /// What to do next.
  package enum Step: Sendable {
    /// Send what is in the outbox, then ask again.
    case send
    case pause(Duration)
    case gate(LocalServer.Gate)
    case hang
    case finish(Ending)
  }

  /// What becomes of the connection.
  package enum Ending: Sendable {
    case keep
    case close
    case reset
  }

  private enum Stage {
    case delay
    case preface
    case head
    case body
    case end
  }

  private let response: LocalServer.Response
  private let hasBody: Bool
  private let isChunked: Bool
  private let keepsAlive: Bool
  private var stage = Stage.delay
  private var piece = 0
  /// The bytes of the current piece already made.
  private var offset = 0
  /// The bytes left in the current chunk.
  private var chunkLeft = 0

  /// - Parameter keepsAlive: whether the request allows another one after it.
  package init(_ response: LocalServer.Response, method: String, keepsAlive: Bool) {
    self.response = response
    let head = ResponseHead(response, keepsAlive: keepsAlive)
    hasBody = !response.hasHead || (method != "HEAD" && head.allowsBody)
    isChunked = response.hasHead && response.chunked
    self.keepsAlive = head.keepsAlive
  }

  /// Fills an empty outbox, or says what stands in the way.
  package mutating func next(into outbox: inout Outbox) -> Step {
    while outbox.room > 0 {
      switch stage {
      case .delay:
        stage = .preface
        if response.delay > .zero { return .pause(response.delay) }
      case .preface:
        guard piece < response.preface.count else {
          stage = .head
          piece = 0
          continue
        }
        if let step = advance(response.preface[piece], into: &outbox) { return step }
      case .head:
        stage = hasBody ? .body : .end
        guard response.hasHead else { continue }
        outbox.append(framing: ResponseHead(response, keepsAlive: keepsAlive).text)
      case .body:
        guard piece < response.body.count else {
          if isChunked { outbox.append(framing: lastChunk) }
          stage = .end
          continue
        }
        if let step = advance(response.body[piece], into: &outbox) { return step }
      case .end:
        return outbox.isEmpty ? .finish(keepsAlive ? .keep : .close) : .send
      }
    }
    return .send
  }

  private var lastChunk: String {
    "0\r\n\(response.trailers.map { "\($0.name): \($0.value)\r\n" }.joined())\r\n"
  }

  private mutating func advance(_ current: LocalServer.Piece, into outbox: inout Outbox) -> Step? {
    if case .stretch(let stretch, let chunkBytes) = current.content {
      write(stretch, chunkBytes: chunkBytes, into: &outbox)
      return nil
    }
    // What was made before a pause or an end goes out before it.
    guard outbox.isEmpty else { return .send }
    piece += 1
    switch current.content {
    case .stretch: return nil
    case .pause(let duration): return .pause(duration)
    case .gate(let gate): return .gate(gate)
    case .close: return .finish(.close)
    case .reset: return .finish(.reset)
    case .hang: return .hang
    }
  }

  /// Writes as much of the current piece as there is room for, in the chunks it belongs in.
  private mutating func write(_ stretch: Stretch, chunkBytes: Int, into outbox: inout Outbox) {
    let isBody = stage == .body
    let left = stretch.length - offset
    if isBody, isChunked, chunkLeft == 0, left > 0 {
      chunkLeft = min(left, chunkBytes)
      outbox.append(framing: "\(String(chunkLeft, radix: 16))\r\n")
    }
    let count = min(isBody && isChunked ? chunkLeft : left, outbox.room)
    let bytes = stretch.bytes(offset..<(offset + count))
    if isBody { outbox.append(body: bytes) } else { outbox.append(framing: bytes) }
    offset += count
    if isBody, isChunked {
      chunkLeft -= count
      if count > 0, chunkLeft == 0 { outbox.append(framing: "\r\n") }
    }
    if offset == stretch.length {
      piece += 1
      offset = 0
    }
  }
}
