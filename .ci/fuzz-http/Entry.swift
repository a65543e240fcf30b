import Foundation

/// One run of the fuzzer, of the target that the environment names.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let pieces = UnsafeBufferPointer(start: start, count: count)
    .split(separator: 0xFF, omittingEmptySubsequences: false).map(Piece.init)
  target(pieces)
  return 0
}

private let target: @Sendable ([Piece]) -> Void =
  switch ProcessInfo.processInfo.environment["STOIC_FUZZ_TARGET"] {
  case "retry-after": fuzzRetryAfter
  case "urls": fuzzURLs
  case "headers": fuzzHeaders
  case let other: fatalError("there is no target called \(other ?? "nothing")")
  }

/// A part of an input: inputs are pieces with 0xFF between, which stands in no text.
struct Piece {
  /// What the piece is for; nil where it is empty.
  let tag: Character?
  /// The rest of it, bytes that are no UTF-8 replaced.
  let text: String

  init(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) {
    tag = bytes.first.map { Character(Unicode.Scalar($0)) }
    text = String(decoding: bytes.dropFirst(), as: UTF8.self)
  }

  /// Name and value of a piece that is `name:value`, split at its first byte of the kind.
  func pair(at separator: UInt8 = UInt8(ascii: ":")) -> (name: String, value: String?) {
    let bytes = Array(text.utf8)
    guard let place = bytes.firstIndex(of: separator) else { return (text, nil) }
    return (
      String(decoding: bytes[..<place], as: UTF8.self), String(decoding: bytes[(place + 1)...], as: UTF8.self)
    )
  }
}

/// Ends the run where what an oracle demands is not so: to the fuzzer a trap is a finding.
func demand(_ isSo: Bool, _ what: @autoclosure () -> String) {
  if !isSo { fatalError(what()) }
}
