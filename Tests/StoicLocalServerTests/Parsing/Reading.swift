import StoicLocalServer

/// Everything a parser made of some bytes, as text that can be compared.
struct Reading {
  private var parser: RequestParser
  private(set) var events: [String] = []

  init(headLimit: Int = 1000, bodyLimit: Int = 100) {
    parser = RequestParser(headLimit: headLimit, bodyLimit: bodyLimit)
  }

  /// Feeds the parser one part after the other, taking what it has after each.
  static func events(of parts: [[UInt8]], headLimit: Int = 1000, bodyLimit: Int = 100) -> [String] {
    var reading = Reading(headLimit: headLimit, bodyLimit: bodyLimit)
    for part in parts { reading.append(part) }
    return reading.events
  }

  static func events(of text: String, headLimit: Int = 1000, bodyLimit: Int = 100) -> [String] {
    events(of: [Array(text.utf8)], headLimit: headLimit, bodyLimit: bodyLimit)
  }

  var bufferedBytes: Int { parser.bufferedBytes }

  mutating func append(_ bytes: [UInt8]) {
    parser.append(bytes)
    while true {
      switch parser.next() {
      case .incomplete:
        return
      case .head(_, awaitsContinue: false):
        continue
      case .head:
        events.append("continue")
      case .request(let request):
        let fields = request.headers.map { "\($0.name)=\($0.value)" }.joined(separator: ",")
        let body = String(decoding: request.body, as: UTF8.self)
        events.append("\(request.method) \(request.target) [\(fields)] \(body)")
      case .refused(let refusal):
        if events.last != "\(refusal.status)" { events.append("\(refusal.status)") }
        return
      }
    }
  }
}
