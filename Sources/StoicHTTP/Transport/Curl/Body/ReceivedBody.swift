#if os(Linux) || os(macOS)
/// What has come of a response's body, unpacked: kept within its limit, or handed to a stream.
struct ReceivedBody {
  enum Step {
    case taken
    /// Nothing was taken; the stream has to be read first.
    case full
    /// The limit is reached, and there is more.
    case overLimit
    case undecodable
  }

  let limit: Int
  private let stream: BodyStream?
  private var bytes: [UInt8] = []
  private var announced: Int?
  private var unpacking: Unpacking?

  /// The most that is set aside on the word of a `Content-Length`.
  private static let trustedLength = 1 << 20
  /// A body of no more than that gets all its room at once when it has shown to be large: what is not used costs nothing.
  private static let allAtOnce = 256 << 20

  init(_ delivery: CurlCall.Delivery) {
    switch delivery {
    case .whole(let limit): (self.limit, stream) = (limit, nil)
    case .stream(let stream): (limit, self.stream) = (stream.limit, stream)
    }
  }

  /// The head has come, with what it says of the body.
  mutating func begin(_ codings: [PackedStage.Coding], length: Int?) {
    announced = length
    if !codings.isEmpty { unpacking = Unpacking(codings) }
  }

  /// Takes a piece as it came.
  mutating func append(_ piece: Span<UInt8>) -> Step {
    guard unpacking != nil else { return deliver(piece) }
    // A piece that was taken is unpacked to its end before the next is.
    if let stream, stream.isFull() { return .full }
    var bytes: [UInt8] = []
    bytes.append(piece)
    unpacking?.push(bytes)
    let step = unpack()
    // It was taken, and what is left of it is unpacked when there is room.
    return step == .full ? .taken : step
  }

  /// Unpacks what waits, as far as there is room.
  mutating func unpack() -> Step {
    while true {
      if let stream, stream.isFull() { return .full }
      switch unpacking?.pull() ?? .needsInput {
      case .needsInput: return .taken
      case .broken: return .undecodable
      case .made(let count):
        guard let output = unpacking?.output else { return .taken }
        let step = deliver(output.span.extracting(first: count))
        if step != .taken { return step }
      }
    }
  }

  private mutating func deliver(_ piece: Span<UInt8>) -> Step {
    if let stream { return stream.offer(piece) }
    let room = limit - bytes.count
    makeRoom(for: min(room, piece.count))
    bytes.append(piece.extracting(first: min(room, piece.count)))
    return piece.count > room ? .overLimit : .taken
  }

  /// Whether what has come may be the end.
  var isWhole: Bool { unpacking?.isWhole ?? true }

  /// Hands the body over.
  mutating func take() -> [UInt8] {
    defer { bytes = [] }
    return bytes
  }

  /// Grows in few steps, the last of them to the most that there may be: so what is copied is small.
  private mutating func makeRoom(for count: Int) {
    let needed = bytes.count + count
    guard needed > bytes.capacity else { return }
    let most = min(announced ?? limit, limit)
    let wanted =
      if bytes.isEmpty {
        min(announced ?? 0, Self.trustedLength)
      } else if bytes.capacity < Self.trustedLength {
        bytes.capacity * 4
      } else {
        most <= Self.allAtOnce ? most : bytes.capacity * 2
      }
    bytes.reserveCapacity(max(needed, min(wanted, most)))
  }
}
#endif
