#if os(Linux) || os(macOS)
import Foundation

/// The header section of a response as its lines come: the last one, after interim responses, and what it says of the
/// body.
///
/// Pure, and it only looks for what has to be known before the body; ``HTTPHeaders`` reads the whole.
struct HeaderSection {
  enum Step: Equatable {
    case goOn
    /// The final section has ended; what follows are trailers, which are dropped.
    case complete
    /// There is more of it than allowed, or it does not begin as a response does.
    case refused
  }

  private let limit: Int
  private var received = 0
  /// The status of the section at hand; 0 before the first.
  private(set) var status = 0
  private(set) var isComplete = false
  /// The lines of the section at hand, without the status line and the empty one.
  private(set) var fields: [UInt8] = []
  private(set) var contentLength = ContentLength.unstated
  /// The values of `Transfer-Encoding` and `Content-Encoding`, lists joined.
  private var transferCodings = ""
  private var contentCodings = ""

  /// More codings than that would only be there to make work.
  private static let mostCodings = 5

  /// - Parameter limit: the most bytes of all lines together.
  init(limit: Int) { self.limit = limit }

  /// The length of the body as it is delivered, where that is announced.
  ///
  /// - Throws: ``TransportError`` for framing that makes no sense or is not known.
  func bodyLength() throws(TransportError) -> Int? {
    // libcurl undoes chunks and nothing else, and tells nobody.
    guard transferCodings.isEmpty || transferCodings.lowercased() == "chunked" else {
      throw TransportError(.badServerResponse)
    }
    // A chunked body has no announced length, and what a coding makes of the length cannot be told.
    guard transferCodings.isEmpty, contentCodings.isEmpty else { return nil }
    switch contentLength {
    case .unstated: return nil
    case .bytes(let count): return count
    case .invalid: throw TransportError(.badServerResponse)
    }
  }

  /// The codings of the body in the order in which they were applied.
  ///
  /// - Throws: ``TransportError`` where one is not known, or there are too many.
  func bodyCodings() throws(TransportError) -> [PackedStage.Coding] {
    var codings: [PackedStage.Coding] = []
    for name in contentCodings.split(separator: ",") {
      let name = String(name).trimmingBlanks
      if name.isEmpty || name.lowercased() == "identity" { continue }
      guard let coding = PackedStage.Coding(name), codings.count < Self.mostCodings else {
        throw TransportError(.cannotDecodeContentData)
      }
      codings.append(coding)
    }
    return codings
  }

  mutating func append(_ line: Span<UInt8>) -> Step {
    received += line.count
    guard received <= limit else { return .refused }
    if isComplete { return .goOn }
    if line.starts(with: "HTTP/") {
      begin(line)
      return .goOn
    }
    guard status > 0 else { return .refused }
    if line.isBlank {
      isComplete = status >= 200 || status == 101
      return isComplete ? .complete : .goOn
    }
    note(line)
    fields.append(line)
    return .goOn
  }

  /// Starts a section anew: an interim one before it, or an attempt of libcurl's, does not count.
  private mutating func begin(_ line: Span<UInt8>) {
    fields.removeAll(keepingCapacity: true)
    contentLength = .unstated
    transferCodings = ""
    contentCodings = ""
    status = 0
    var index = 5
    while index < line.count, line[index] != UInt8(ascii: " ") { index += 1 }
    index += 1
    while index < line.count, (48...57).contains(line[index]), status < 1_000 {
      status = status * 10 + Int(line[index] - 48)
      index += 1
    }
  }

  private mutating func note(_ line: Span<UInt8>) {
    switch line[0].asciiLowercased {
    case UInt8(ascii: "c"):
      if let value = line.value(of: "content-length:") {
        let length = ContentLength(value)
        contentLength = contentLength == .unstated || contentLength == length ? length : .invalid
      } else if let value = line.value(of: "content-encoding:") {
        contentCodings += contentCodings.isEmpty ? value : ",\(value)"
      }
    case UInt8(ascii: "t"):
      if let value = line.value(of: "transfer-encoding:") {
        transferCodings += transferCodings.isEmpty ? value : ",\(value)"
      }
    default: break
    }
  }
}

extension Span<UInt8> {
  fileprivate var isBlank: Bool {
    count == 1 && self[0] == UInt8(ascii: "\n")
      || count == 2 && self[0] == UInt8(ascii: "\r") && self[1] == UInt8(ascii: "\n")
  }

  /// Whether these bytes begin so, ASCII letters compared without case.
  fileprivate func starts(with prefix: StaticString) -> Bool {
    guard count >= prefix.utf8CodeUnitCount else { return false }
    return prefix.withUTF8Buffer { prefix in
      prefix.indices.allSatisfy { self[$0].asciiLowercased == prefix[$0].asciiLowercased }
    }
  }

  /// The value of a line with that name and colon.
  fileprivate func value(of name: StaticString) -> String? {
    guard starts(with: name) else { return nil }
    let value = extracting(name.utf8CodeUnitCount..<count)
    return String(value.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }.trimmingLineEnd)
  }
}

extension String {
  /// This without blanks at either end, those of a line's end included.
  fileprivate var trimmingLineEnd: Substring {
    var rest = Substring(self)
    while rest.last?.isNewline == true { rest.removeLast() }
    return String(rest).trimmingBlanks
  }
}
#endif
