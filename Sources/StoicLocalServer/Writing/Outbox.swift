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
    bytes.append(contentsOf: Array(framing.utf8))
    runs.append(Run(end: bytes.count, isBody: false))
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
