#if os(Linux) || os(macOS)
import Foundation

/// An exchange in libcurl's hands: what has come of the response, and what libcurl is told.
///
/// For the engine's thread alone.
final class CurlTransfer {
  let call: CurlCall
  let easy: EasyHandle
  /// The sockets that it may go over.
  let sockets: OpenSockets
  private let wants: Wants
  private let settings: CurlSettings
  private var head: HeaderSection
  private var body: ReceivedBody
  private var uploaded = 0
  private var isPaused = false
  /// Whether it was sent over a connection that was heard to speak HTTP/1.1.
  private var goesOverHTTP1 = false
  /// The connection that it goes over.
  private var place: OpenSockets.Ports?
  /// How much was written before libcurl was told to send the request.
  private var writtenBefore = 0
  /// What libcurl said at its end, while a reader has yet to make room for the last bytes.
  private var code: Int32?
  /// Why the transfer was ended from here.
  private var verdict: CurlCall.Ending?

  /// Whether it was ended before anything was sent, to be started again on a connection of its own.
  private(set) var isToStartAnew = false

  /// What libcurl may do to have the request sent.
  struct Wants {
    /// Send it again.
    var mayRepeat = false
    /// Use a connection that nothing was sent over, and no other.
    var isFresh = false
    /// Use one of HTTP/2.
    var mayBeHTTP2 = false
  }

  /// What becomes of a piece of a body.
  enum Reception {
    case taken
    /// It is to come again later.
    case notNow
    case refused
  }

  init(
    _ call: CurlCall, _ easy: EasyHandle, _ settings: CurlSettings, over sockets: OpenSockets, _ wants: Wants
  ) {
    self.sockets = sockets
    self.wants = wants
    self.call = call
    self.easy = easy
    self.settings = settings
    head = HeaderSection(limit: settings.headerLimit)
    body = ReceivedBody(call.delivery)
  }

  // What libcurl asks and brings; false ends the transfer.

  /// - Parameter ports: those of the connection.
  func maySend(between ports: OpenSockets.Ports) -> Bool {
    let hasStrayInput = sockets.hasStrayInput(
      between: ports, mayBeHTTP2: wants.mayBeHTTP2, hasUnread: easy.hasUnreadInput)
    if hasStrayInput, !wants.isFresh {
      // What was sent before is not begun anew: it is an attempt.
      guard call.sends == 0 else { return stop(as: .failed(.networkConnectionLost)) }
      isToStartAnew = true
      return false
    }
    // The second time, the connection that it was sent on has turned out to be dead, and libcurl has made another, perhaps
    // with the number of the old one.
    let wasHTTP1 = goesOverHTTP1
    goesOverHTTP1 = sockets.speaksHTTP2(ports) == false
    place = ports
    writtenBefore = easy.written
    return call.maySend(again: wants.mayRepeat && !wasHTTP1) || stop(as: .failed(.networkConnectionLost))
  }

  /// Whether it is for a connection that nothing was sent over.
  var needsFreshConnection: Bool { wants.isFresh }

  func nextOfBody(atMost count: Int) -> ArraySlice<UInt8> {
    let next = call.message.body[uploaded...].prefix(count)
    uploaded += next.count
    return next
  }

  func receive(line: Span<UInt8>) -> Bool {
    switch head.append(line) {
    case .goOn: return true
    case .refused: return stop(as: .failed(.badServerResponse))
    case .complete: return begin()
    }
  }

  func receive(body bytes: Span<UInt8>) -> Reception {
    // libcurl may have seen an end of the head where there is none.
    guard head.isComplete else { return refuse(as: .failed(.badServerResponse)) }
    // A 205 has no body, whatever follows it (RFC 9110, section 15.3.6); reading on would have no bound.
    if isBodiless { return refuse(as: .answered(answer())) }
    switch body.append(bytes) {
    case .taken: return .taken
    case .full:
      isPaused = true
      return .notNow
    case .overLimit: return refuse(as: overLimit)
    case .undecodable: return refuse(as: .failed(.cannotDecodeContentData))
    }
  }

  /// There is room again; says how the exchange ends where that is settled now.
  func resume() -> CurlCall.Ending? {
    switch body.unpack() {
    case .full: return nil
    case .overLimit: return overLimit
    case .undecodable: return .failed(.cannotDecodeContentData)
    case .taken: break
    }
    if let code { return ending(code) }
    if isPaused {
      isPaused = false
      let code = easy.goOn()
      if code != 0 { return ending(code) }
    }
    return nil
  }

  /// libcurl is done; says how the exchange ends, unless a reader has to make room first.
  func complete(_ code: Int32) -> CurlCall.Ending? {
    // It asks before it puts a request together, which may turn out to be too long.
    if CurlFailure.isTooLong(code), settings.library.countsWritten, easy.written == writtenBefore {
      call.takeSendBack()
    }
    guard code == 0, verdict == nil else { return ending(code) }
    switch body.unpack() {
    case .taken: return ending(code)
    case .overLimit: return overLimit
    case .undecodable: return .failed(.cannotDecodeContentData)
    case .full:
      self.code = code
      return nil
    }
  }

  private func ending(_ code: Int32) -> CurlCall.Ending {
    if let verdict { return verdict }
    guard code == 0 else {
      // A libcurl that does not ask tells it less exactly.
      let isSent = call.sends > 0 || (!settings.library.asksBeforeSending && easy.written > 0)
      let failure = CurlFailure(
        code: code, text: easy.failureText, isSent: isSent, systemError: easy.systemError)
      return .failed(failure.meaning)
    }
    // libcurl calls it a success when the connection ends before the head does.
    guard head.isComplete else { return .failed(.networkConnectionLost) }
    guard isBodiless || body.isWhole else { return .failed(.cannotDecodeContentData) }
    return .answered(answer())
  }

  private func begin() -> Bool {
    if let place { sockets.note(place, speaksHTTP2: easy.spokeHTTP2) }
    // Nobody asked for another protocol. A line that is no field is refused here already, so that the connection ends.
    guard head.status != 101, (try? HTTPHeaders(section: head.fields)) != nil else {
      return stop(as: .failed(.badServerResponse))
    }
    guard !isBodiless else {
      // Whether or not more follows, a 205 is whole with its head.
      return head.status != 205 || head.contentLength == .bytes(0) || stop(as: .answered(answer()))
    }
    do throws(TransportError) {
      let length = try head.bodyLength()
      if let length, length > body.limit { return stop(as: overLimit) }
      body.begin(try head.bodyCodings(), length: length)
    } catch {
      return stop(as: .failed(error.code))
    }
    if case .stream = call.delivery { call.begin(answer()) }
    return true
  }

  private var isBodiless: Bool {
    call.message.method == "HEAD" || [204, 205, 304].contains(head.status)
  }

  private var overLimit: CurlCall.Ending {
    var answer = answer()
    answer.isTruncated = true
    return .answered(answer)
  }

  private func answer() -> CurlCall.Answer {
    CurlCall.Answer(status: head.status, fields: head.fields, body: body.take())
  }

  private func stop(as ending: CurlCall.Ending) -> Bool {
    verdict = ending
    return false
  }

  private func refuse(as ending: CurlCall.Ending) -> Reception {
    verdict = ending
    return .refused
  }
}
#endif
