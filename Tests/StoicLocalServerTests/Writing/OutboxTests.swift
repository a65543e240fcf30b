import StoicLocalServer
import Testing

@Suite("Outbox")
struct OutboxTests {
  @Test("Body bytes are counted wherever the sends are cut", arguments: 1...12)
  func counts(step: Int) {
    var outbox = Outbox()
    outbox.append(framing: "head")
    outbox.append(body: Array("".utf8)[...])
    outbox.append(body: Array("body".utf8)[...])
    outbox.append(framing: "end")
    var sent: [UInt8] = []
    while !outbox.isEmpty {
      let bytes = outbox.withUnsentBytes { Array($0.prefix(step)) }
      let count = outbox.markSent(bytes.count)
      let overlap = max(0, min(8, sent.count + bytes.count) - max(4, sent.count))
      #expect(count == overlap)
      sent += bytes
    }
    #expect(sent == Array("headbodyend".utf8))
    #expect(outbox.room == Outbox.capacity)
  }
}
