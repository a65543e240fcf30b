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
    /// There is more of it than allowed, it does not begin as a response does, or a line has no name of its own.
    case refused
  }

  private let limit: Int
  private var received = 0
  /// The status of the section at hand; 0 before the first.
  private(set) var status = 0
  private(set) var isComplete = false
  /// Whether a section has begun and not ended.
  private var isOpen = false
  /// Whether the last field was one of those that are looked for.
  private var isFraming = false
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
    guard transferCodings.isEmpty || transferCodings.isSameFieldName(as: "chunked") else {
      throw TransportError(.badServerResponse)
    }
    // A chunked body has no announced length.
    guard transferCodings.isEmpty else { return nil }
    switch contentLength {
    case .unstated: return nil
    // What a coding makes of the length cannot be told.
    case .bytes(let count): return contentCodings.isEmpty ? count : nil
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
    // Later, what looks like a status line is a field with an odd name.
    guard isOpen else {
      guard let status = line.status else { return .refused }
      begin(status)
      return .goOn
    }
    if line.isBlank {
      isOpen = false
      isComplete = status >= 200 || status == 101
      return isComplete ? .complete : .goOn
    }
    if line[0] == UInt8(ascii: " ") || line[0] == UInt8(ascii: "\t") {
      // libcurl frames the body by the first line alone.
      if isFraming { return .refused }
    } else {
      // Whether such a line frames the body, no two readers agree (RFC 9112, section 5.1).
      guard line.endsNameWithColon else { return .refused }
      isFraming = note(line)
    }
    fields.append(line)
    return .goOn
  }

  /// Starts a section anew: an interim one before it does not count.
  private mutating func begin(_ status: Int) {
    fields.removeAll(keepingCapacity: true)
    contentLength = .unstated
    transferCodings = ""
    contentCodings = ""
    isOpen = true
    isFraming = false
    self.status = status
  }

  /// Looks for what has to be known of the body; says whether the field is about that.
  private mutating func note(_ line: Span<UInt8>) -> Bool {
    switch line[0].asciiLowercased {
    case UInt8(ascii: "c"):
      if let value = line.value(of: "content-length:") {
        let length = ContentLength(value)
        contentLength = contentLength == .unstated || contentLength == length ? length : .invalid
        return true
      } else if let value = line.value(of: "content-encoding:") {
        contentCodings += contentCodings.isEmpty ? value : ",\(value)"
        return true
      }
    case UInt8(ascii: "t"):
      if let value = line.value(of: "transfer-encoding:") {
        transferCodings += transferCodings.isEmpty ? value : ",\(value)"
        return true
      }
    default: break
    }
    return false
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
    var (lower, upper) = (name.utf8CodeUnitCount, count)
    while lower < upper, self[lower].isBlankOrLineEnd { lower += 1 }
    while lower < upper, self[upper - 1].isBlankOrLineEnd { upper -= 1 }
    return extracting(lower..<upper).withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
  }

  /// Whether a colon comes before the first blank or control character.
  fileprivate var endsNameWithColon: Bool {
    var index = 0
    while index < count, self[index] > 0x20, self[index] != UInt8(ascii: ":") { index += 1 }
    return index < count && self[index] == UInt8(ascii: ":")
  }

  /// The status of a status line (RFC 9112, section 4); nil where it is none.
  ///
  /// HTTP/2 has no such line; libcurl makes one, with a version of one digit.
  fileprivate var status: Int? {
    let name: StaticString = "HTTP/"
    guard starts(with: name), self[0] == UInt8(ascii: "H"), self[1] == UInt8(ascii: "T"),
      self[2] == UInt8(ascii: "T"), self[3] == UInt8(ascii: "P"), isDigit(at: 5)
    else { return nil }
    var index = 6
    if index < count, self[index] == UInt8(ascii: ".") {
      guard isDigit(at: 7) else { return nil }
      index = 8
    }
    guard index < count, self[index] == UInt8(ascii: " ") else { return nil }
    guard isDigit(at: index + 1), isDigit(at: index + 2), isDigit(at: index + 3) else { return nil }
    let status = (1...3).reduce(0) { $0 * 10 + Int(self[index + $1] - UInt8(ascii: "0")) }
    let rest = extracting((index + 4)..<count)
    let ends = rest.isEmpty || rest.isBlank || rest[0] == UInt8(ascii: " ")
    return ends && status >= 100 ? status : nil
  }

  private func isDigit(at index: Int) -> Bool { index < count && (48...57).contains(self[index]) }
}

extension UInt8 {
  fileprivate var isBlankOrLineEnd: Bool { self == 32 || self == 9 || self == 13 || self == 10 }
}
#endif
