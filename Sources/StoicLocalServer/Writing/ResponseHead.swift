/// The status line and header fields of a response, with what the server adds.
struct ResponseHead {
  private let response: LocalServer.Response
  let keepsAlive: Bool

  /// - Parameter keepsAlive: whether the request allows another one after it.
  init(_ response: LocalServer.Response, keepsAlive: Bool) {
    self.response = response
    let saysClose = response.headers.contains { name, value in
      name.equalsIgnoringCase("Connection") && value.listItems.contains { $0.equalsIgnoringCase("close") }
    }
    self.keepsAlive = keepsAlive && !saysClose && !(response.closeDelimited && !response.chunked)
  }

  /// Whether a response of this status has a body at all (RFC 9112, 6.3).
  var allowsBody: Bool {
    !(100..<200).contains(response.status) && response.status != 204 && response.status != 304
  }

  var text: String {
    var text = "HTTP/1.1 \(response.status) \(response.reason ?? "")\r\n"
    for (name, value) in response.headers + addedFields { text += "\(name): \(value)\r\n" }
    return text + "\r\n"
  }

  private var addedFields: [(name: String, value: String)] {
    var fields: [(name: String, value: String)] = []
    if allowsBody {
      if response.chunked {
        if !has("Transfer-Encoding") { fields.append(("Transfer-Encoding", "chunked")) }
      } else if !response.closeDelimited, !has("Content-Length") {
        fields.append(("Content-Length", "\(length)"))
      }
    }
    if !keepsAlive, !has("Connection") { fields.append(("Connection", "close")) }
    return fields
  }

  /// The bytes of all pieces, those behind an early end included.
  private var length: Int {
    response.body.reduce(0) { total, piece in
      let (sum, overflow) = total.addingReportingOverflow(piece.length)
      return overflow ? Int.max : sum
    }
  }

  private func has(_ name: String) -> Bool {
    response.headers.contains { $0.name.equalsIgnoringCase(name) }
  }
}
