/// The bytes of a response that wait for the client to read, and which of them are body.
package struct Outbox: Sendable {
  /// How much is made ahead of the client.
  package static let capacity = 64 * 1024

  private struct Run {
    let end: Int
    let isBody: Bool
  }

  private var bytes: [UInt8] = []
  private var runs: [Run] = []
  private var sent = 0
  private var firstRun = 0

  package init() {}

  package var isEmpty: Bool { sent == bytes.count }
  package var room: Int { max(0, Self.capacity - bytes.count) }

  package mutating func append(body: ArraySlice<UInt8>) {
    bytes.append(contentsOf: body)
    runs.append(Run(end: bytes.count, isBody: true))
  }

  /// Appends a head or what stands around a chunk.
  package mutating func append(framing: String) {
    append(framing: Array(framing.utf8)[...])
  }

  package mutating func append(framing: ArraySlice<UInt8>) {
    bytes.append(contentsOf: framing)
    runs.append(Run(end: bytes.count, isBody: false))
  }

  /// Moves up to `limit` of the bytes that are left, and returns how many.
  package mutating func move(upTo limit: Int, to other: inout Outbox) -> Int {
    let end = sent + min(limit, bytes.count - sent)
    var start = sent
    for run in runs[firstRun...] where start < end {
      let part = bytes[start..<min(run.end, end)]
      if run.isBody { other.append(body: part) } else { other.append(framing: part) }
      start = part.endIndex
    }
    let moved = end - sent
    _ = markSent(moved)
    return moved
  }

  /// Calls `body` with the bytes that are left.
  package func withUnsentBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[sent...])) }
  }

  /// Takes the next `count` bytes as sent and returns how many of them were body.
  package mutating func markSent(_ count: Int) -> Int {
    let end = sent + count
    var body = 0
    while firstRun < runs.count, sent < end {
      let run = runs[firstRun]
      let stretch = min(run.end, end) - sent
      if run.isBody { body += stretch }
      sent += stretch
      if sent == run.end { firstRun += 1 }
    }
    if isEmpty {
      bytes.removeAll(keepingCapacity: true)
      runs.removeAll(keepingCapacity: true)
      sent = 0
      firstRun = 0
    }
    return body
  }
}
