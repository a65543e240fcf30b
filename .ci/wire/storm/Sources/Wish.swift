import Foundation
import StoicHTTP

/// One request: what it asks of the server, and what has to come of it.
struct Wish {
  let method: HTTPMethod
  let path: String
  var body: [UInt8] = []
  /// The expected status and the length of the body.
  var answer: (status: Int, length: Int)?
  /// When it is taken back, in microseconds after it began.
  var patience = 0

  /// A request that a well-behaved or slow server answers.
  static func well(_ number: Int, _ seed: UInt64) -> Wish {
    var random = Numbers(seed, number)
    switch random.next() % 20 {
    case 0: return Wish(method: .get, path: "/slow", answer: (200, 4))
    case 1: return Wish(method: .get, path: "/drip", answer: (200, 4))
    case 2: return Wish(method: .get, path: "/large", answer: (200, 60_000))
    case 3: return Wish(method: .post, path: "/quick", body: Array("an order".utf8), answer: (200, 8))
    case 4: return Wish(method: .put, path: "/slow", body: Array("an order".utf8), answer: (200, 4))
    case 5: return Wish(method: .head, path: "/large", answer: (200, 0))
    case 6: return Wish(method: .get, path: "/busy", answer: (503, 0))
    case 7: return Wish(method: .get, path: "/challenge", answer: (401, 3))
    case 8: return Wish(method: .get, path: "/redirect", answer: (302, 0))
    default: return Wish(method: .get, path: "/quick", answer: (200, 4))
    }
  }

  private static let paths = [
    "/quick", "/slow", "/drip", "/large", "/endless", "/silent", "/redirect", "/challenge", "/drop", "/reset",
  ]

  /// Any request, and a moment: at once, while it starts, while it is answered, or after.
  static func any(_ number: Int, _ seed: UInt64) -> Wish {
    var random = Numbers(~seed, number)
    let path = paths[Int(random.next() % UInt64(paths.count))]
    let isPost = random.next() % 4 == 0
    let bounds: [UInt64] = [1, 200, 2_000, 20_000]
    let bound = bounds[Int(random.next() % 4)]
    return Wish(
      method: isPost ? .post : .get, path: path, body: isPost ? Array("an order".utf8) : [],
      patience: Int(random.next() % bound))
  }

  private func request(_ base: URL) -> TransportRequest {
    TransportRequest(
      method: method, url: base.appending(path: path),
      headers: body.isEmpty ? [:] : ["Content-Type": "text/plain"],
      body: body, timeout: .seconds(50), mayRepeat: method != .post)
  }

  /// Sends it, and looks at what comes.
  func send(_ base: URL, on transport: any HTTPTransport) async throws {
    let response = try await transport.send(request(base), maxResponseBytes: 100_000)
    guard let answer, response.status == answer.status, response.body.count == answer.length else {
      throw Failure("\(method) \(path): status \(response.status), \(response.body.count) bytes")
    }
  }

  /// Sends it, and takes it back; it may be over by then, but it has to end.
  func sendAndLeave(_ base: URL, on transport: any HTTPTransport) async throws {
    let request = request(base)
    let call = Task { try await transport.send(request, maxResponseBytes: 100_000) }
    if patience > 0 { try await Task.sleep(for: .microseconds(patience)) }
    call.cancel()
    do {
      _ = try await call.value
    } catch is CancellationError {
    } catch let error as TransportError where ["/drop", "/reset"].contains(path) && error.code != .timedOut {
    }
  }
}

/// Random numbers of one call: the same for the same seed, whatever the order of calls.
private struct Numbers {
  private var state: UInt64

  init(_ seed: UInt64, _ number: Int) {
    state = seed &* 0x9E37_79B9_7F4A_7C15 &+ UInt64(truncatingIfNeeded: number) &* 0xD1B5_4A32_D192_ED03
  }

  /// SplitMix64.
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}
