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
    case head
    case body
    case end
  }

  private static let repeatedChunkBytes = 64 * 1024

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
        stage = .head
        if response.delay > .zero { return .pause(response.delay) }
      case .head:
        stage = hasBody ? .body : .end
        guard response.hasHead else { continue }
        outbox.append(framing: ResponseHead(response, keepsAlive: keepsAlive).text)
      case .body:
        guard piece < response.body.count else {
          if isChunked { outbox.append(framing: "0\r\n\r\n") }
          stage = .end
          continue
        }
        if let step = advance(into: &outbox) { return step }
      case .end:
        return outbox.isEmpty ? .finish(keepsAlive ? .keep : .close) : .send
      }
    }
    return .send
  }

  private mutating func advance(into outbox: inout Outbox) -> Step? {
    switch response.body[piece].content {
    case .bytes(let bytes):
      let count = openChunk(upTo: Int.max, into: &outbox)
      outbox.append(body: bytes[offset..<(offset + count)])
      closeChunk(after: count, into: &outbox)
      return nil
    case .repeated(let byte, _):
      let count = openChunk(upTo: Self.repeatedChunkBytes, into: &outbox)
      outbox.append(body: [UInt8](repeating: byte, count: count)[...])
      closeChunk(after: count, into: &outbox)
      return nil
    case let content:
      // What was made before a pause or an end goes out before it.
      guard outbox.isEmpty else { return .send }
      piece += 1
      switch content {
      case .pause(let duration): return .pause(duration)
      case .gate(let gate): return .gate(gate)
      case .close: return .finish(.close)
      case .reset: return .finish(.reset)
      case .hang: return .hang
      case .bytes, .repeated: return nil
      }
    }
  }

  /// Begins a chunk where one is due, and returns how many bytes may be made now.
  private mutating func openChunk(upTo limit: Int, into outbox: inout Outbox) -> Int {
    let left = response.body[piece].length - offset
    guard isChunked else { return min(left, outbox.room) }
    if chunkLeft == 0, left > 0 {
      chunkLeft = min(left, limit)
      outbox.append(framing: "\(String(chunkLeft, radix: 16))\r\n")
    }
    return min(chunkLeft, outbox.room)
  }

  private mutating func closeChunk(after count: Int, into outbox: inout Outbox) {
    offset += count
    if isChunked {
      chunkLeft -= count
      if count > 0, chunkLeft == 0 { outbox.append(framing: "\r\n") }
    }
    if offset == response.body[piece].length {
      piece += 1
      offset = 0
    }
  }
}
