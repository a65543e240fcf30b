import StoicLocalServer
import Testing

@Suite("Refused requests")
struct RefusalTests {
  static let refusals: [(text: String, status: Int)] = [
    ("\r\n\r\n", 400), ("GET /\r\n", 400), ("GET  / HTTP/1.1\r\n", 400), (" GET / HTTP/1.1\r\n", 400),
    ("GET / HTTP/1.1 \r\n", 400), ("GET / x HTTP/1.1\r\n", 400), ("GET\t/ HTTP/1.1\r\n", 400),
    ("G(T / HTTP/1.1\r\n", 400), ("GET /\u{e9} HTTP/1.1\r\n", 400), ("GET /\u{7f} HTTP/1.1\r\n", 400),
    ("GET / http/1.1\r\n", 400), ("GET / HTTP/1\r\n", 400), ("GET / HTTP/11\r\n", 400),
    ("GET / HTTP/1.10\r\n", 400), ("GET / HTTP/x.1\r\n", 400), ("GET / HTTP/1,1\r\n", 400),
    ("PRI * HTTP/2.0\r\n", 505), ("GET / HTTP/0.9\r\n", 505),
    ("GET / HTTP/1.1\n", 400), ("GET / HTTP/1.1\rX", 400), ("GET /\0", 400), ("\u{16}\u{3}\u{1}\0", 400),
    ("GET / HTTP/1.1\r\nA\r\n", 400), ("GET / HTTP/1.1\r\n: b\r\n", 400),
    ("GET / HTTP/1.1\r\nA : b\r\n", 400),
    ("GET / HTTP/1.1\r\nA: b\r\n c\r\n", 400), ("GET / HTTP/1.1\r\nA\u{e9}: b\r\n", 400),
    ("GET / HTTP/1.1\r\nA: b\u{1}\r\n", 400), ("GET / HTTP/1.1\r\nA: b\u{7f}\r\n", 400),
    ("GET / HTTP/1.1\r\nA: b\n", 400), ("GET / HTTP/1.1\r\nA: b\r\r\n", 400),
    ("PUT / HTTP/1.1\r\nContent-Length:\r\n\r\n", 400), ("PUT / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", 400),
    ("PUT / HTTP/1.1\r\nContent-Length: +1\r\n\r\n", 400),
    ("PUT / HTTP/1.1\r\nContent-Length: 0x1\r\n\r\n", 400),
    ("PUT / HTTP/1.1\r\nContent-Length: a\r\n\r\n", 400),
    ("PUT / HTTP/1.1\r\nContent-Length: 1, 1\r\n\r\n", 400),
    ("PUT / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\n", 400),
    ("PUT / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", 400),
    ("PUT / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n", 400),
    ("PUT / HTTP/1.1\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", 501),
    ("PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n", 501),
    ("PUT / HTTP/1.1\r\nContent-Length: 101\r\n\r\n", 413),
    ("PUT / HTTP/1.1\r\nContent-Length: 9223372036854775807\r\n\r\n", 413),
    ("PUT / HTTP/1.1\r\nContent-Length: 99999999999999999999999999\r\n\r\n", 413),
    ("PUT / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 101\r\n\r\n", 413),
  ]

  static let chunkRefusals: [(text: String, status: Int)] = [
    ("\r\n", 400), (";x\r\n", 400), ("g\r\n", 400), ("-1\r\n", 400), ("0x1\r\n", 400), ("1 1\r\n", 400),
    (" 1\r\n", 400), ("1\n", 400), ("1\r\nabc", 400), ("1\r\na\rx", 400), ("1\r\na\n", 400),
    ("0\r\nbad\r\n", 400), ("65\r\n", 413),
    ("64\r\n" + String(repeating: "x", count: 100) + "\r\n1\r\n", 413),
    ("7fffffffffffffff\r\n", 413), ("ffffffffffffffffffffffff\r\n", 413),
    ("1;" + String(repeating: "x", count: 5000), 400),
    ("0\r\n" + String(repeating: "a: b\r\n", count: 200), 431),
  ]

  @Test("A malformed request is refused at the same byte however it is cut", arguments: refusals)
  func refused(_ refusal: (text: String, status: Int)) {
    expect(refusal.text, refusedWith: refusal.status)
  }

  @Test("A malformed chunk is refused at the same byte however it is cut", arguments: chunkRefusals)
  func chunkRefused(_ refusal: (text: String, status: Int)) {
    let head = "PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"
    expect(head + refusal.text, refusedWith: refusal.status)
  }

  private func expect(_ text: String, refusedWith status: Int) {
    let bytes = Array(text.utf8)
    let expected = ["\(status)"]
    #expect(Reading.events(of: bytes.map { [$0] }) == expected)
    for cut in stride(from: 0, through: bytes.count, by: max(1, bytes.count / 200)) {
      #expect(Reading.events(of: [Array(bytes[..<cut]), Array(bytes[cut...])]) == expected, "cut at \(cut)")
    }
  }

  @Test("A refused connection stays refused, and keeps nothing")
  func staysRefused() {
    var reading = Reading()
    reading.append(Array("bad\r\n".utf8))
    reading.append(Array("GET / HTTP/1.1\r\n\r\n".utf8))
    #expect(reading.events == ["400"])
    #expect(reading.bufferedBytes == 0)
  }

  @Test("A head may be as long as the limit and no longer")
  func headLimit() {
    let head = "GET / HTTP/1.1\r\nA: bcd\r\n\r\n"
    let length = head.utf8.count
    #expect(Reading.events(of: head, headLimit: length) == ["GET / [A=bcd] "])
    #expect(Reading.events(of: head, headLimit: length - 1) == ["431"])
    #expect(Reading.events(of: head, headLimit: 5) == ["431"])
    #expect(Reading.events(of: String(repeating: "G", count: 1001)) == ["431"])
    #expect(Reading.events(of: String(repeating: "G", count: 1000)) == [])
  }

  @Test("A body may be as long as the limit and no longer")
  func bodyLimit() {
    let body = String(repeating: "x", count: 100)
    let fixed = "PUT / HTTP/1.1\r\nContent-Length: 100\r\n\r\n\(body)"
    #expect(Reading.events(of: fixed, bodyLimit: 100) == ["PUT / [Content-Length=100] \(body)"])
    #expect(Reading.events(of: fixed, bodyLimit: 99) == ["413"])
    let head = "PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"
    let chunked = head + String(repeating: "1\r\nx\r\n", count: 100) + "0\r\n\r\n"
    #expect(Reading.events(of: chunked, bodyLimit: 100) == ["PUT / [Transfer-Encoding=chunked] \(body)"])
    #expect(Reading.events(of: chunked, bodyLimit: 99) == ["413"])
  }

  @Test(
    "A damaged request is taken or refused the same whole and in parts, and traps nothing", arguments: 0..<10)
  func damaged(seed: UInt64) {
    var random = Random(state: seed)
    for _ in 0..<150 {
      let wire = RequestParserTests.wires[Int.random(in: 0..<RequestParserTests.wires.count, using: &random)]
      var bytes = Array(wire.text.utf8)
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let index = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.insert(bytes[Int.random(in: 0..<bytes.count, using: &random)], at: index)
        case 2 where bytes.count > 1: bytes.remove(at: index)
        default: bytes.swapAt(index, Int.random(in: 0..<bytes.count, using: &random))
        }
      }
      let whole = Reading.events(of: [bytes])
      #expect(Reading.events(of: bytes.map { [$0] }) == whole)
    }
  }
}
