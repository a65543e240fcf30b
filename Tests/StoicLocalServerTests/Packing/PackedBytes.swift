import StoicLocalServer

/// The bytes that a piece writes into a body.
enum PackedBytes {
  static func all(_ piece: LocalServer.Piece) -> [UInt8] {
    var writer = ResponseWriter(.raw([piece]), method: "GET", keepsAlive: true)
    var outbox = Outbox()
    var bytes: [UInt8] = []
    while case .send = writer.next(into: &outbox) {
      bytes += outbox.withUnsentBytes { Array($0) }
      _ = outbox.markSent(outbox.withUnsentBytes { $0.count })
    }
    return bytes
  }
}
