#if os(Linux) || os(macOS)
import Foundation
import Stoic

/// The engine's thread from inside: obeys commands, has libcurl do what can be done, and waits for more.
///
/// A transfer is kept in `transfers` for as long as libcurl may call it.
final class CurlLoop {
  private let engine: CurlEngine
  private var multi: MultiHandle
  private var transfers: [ObjectIdentifier: CurlTransfer] = [:]
  /// Since when there has been no exchange, while connections may be open.
  private var idleSince: AmbientClock.Instant?
  private var mayHaveConnections = false
  /// The origins that have answered by TLS, and whether they were heard to speak HTTP/2.
  private var speakers: [String: Bool] = [:]
  private var sockets = OpenSockets()

  private static let keptSpeakers = 1_024
  private static let longest: Int32 = 3_600_000

  private var settings: CurlSettings { engine.settings }

  init(_ engine: CurlEngine, _ multi: MultiHandle) {
    self.engine = engine
    self.multi = multi
  }

  func run() {
    while true {
      let (commands, isLast) = engine.take()
      for command in commands { obey(command) }
      if isLast { break }
      multi.perform()
      collect()
      if engine.mayWait() { wait() }
    }
    for transfer in transfers.values { end(transfer, as: .failed(.cancelled)) }
    engine.replace(waker: nil)
    // Before anybody hears of the end.
    multi.close()
    engine.close()
  }

  private func obey(_ command: CurlInbox.Command) {
    switch command {
    case .start(let call): start(call)
    case .drop(let call):
      if let transfer = transfers[ObjectIdentifier(call)] { release(transfer) }
    case .resume(let call):
      guard let transfer = transfers[ObjectIdentifier(call)], let ending = transfer.resume() else { return }
      end(transfer, as: ending)
    }
  }

  /// - Parameter isAnew: whether it was started before, and needs a connection that was not used.
  private func start(_ call: CurlCall, isAnew: Bool = false) {
    guard !call.hasEnded else { return }
    guard let easy = EasyHandle() else {
      call.end(as: .failed(.resourceUnavailable))
      return
    }
    let transfer = CurlTransfer(call, easy, settings, over: sockets, wants(of: call, isAnew: isAnew))
    guard easy.prepare(for: transfer, settings), multi.add(easy) else {
      call.end(as: .failed(.resourceUnavailable))
      return
    }
    transfers[ObjectIdentifier(call)] = transfer
    mayHaveConnections = true
    idleSince = nil
  }

  /// Whether the server has the choice.
  private func offersHTTP2(_ call: CurlCall) -> Bool {
    guard case .whole = call.delivery else { return false }
    return settings.http2 && call.message.suitsHTTP2
  }

  private func wants(of call: CurlCall, isAnew: Bool) -> CurlTransfer.Wants {
    var wants = CurlTransfer.Wants(isFresh: isAnew)
    if offersHTTP2(call) {
      // A server that speaks HTTP/2 refuses requests now and then, to have a connection end; that of a GET is no news.
      wants.mayRepeat = speakers[call.message.origin] == true
      wants.mayBeHTTP2 = true
    }
    return wants
  }

  /// Ends what libcurl is done with.
  private func collect() {
    while let (transfer, code) = multi.nextEnded() {
      if transfer.isToStartAnew {
        release(transfer)
        start(transfer.call, isAnew: true)
      } else if let ending = transfer.complete(code) {
        end(transfer, as: ending)
      }
    }
  }

  private func end(_ transfer: CurlTransfer, as ending: CurlCall.Ending) {
    // A libcurl that does not ask tells it less exactly.
    let isSent = !settings.library.asksBeforeSending && transfer.easy.written > 0
    release(transfer)
    if case .answered = ending { note(transfer) }
    transfer.call.end(as: ending, isSent: isSent)
  }

  /// Remembers what the server speaks.
  private func note(_ transfer: CurlTransfer) {
    guard offersHTTP2(transfer.call) else { return }
    // A connection of HTTP/1.1 that it found may be one that nobody had offered HTTP/2 on.
    guard transfer.easy.spokeHTTP2 || transfer.easy.connections > 0 else { return }
    if speakers.count >= Self.keptSpeakers { speakers = [:] }
    speakers[transfer.call.message.origin] = transfer.easy.spokeHTTP2
  }

  /// Takes a transfer from libcurl, whatever it is doing.
  private func release(_ transfer: CurlTransfer) {
    engine.count(CurlTransport.Counts(sends: transfer.call.sends, connections: transfer.easy.connections))
    multi.remove(transfer.easy)
    transfers[ObjectIdentifier(transfer.call)] = nil
  }

  private func wait() {
    guard transfers.isEmpty, mayHaveConnections else { return multi.wait(milliseconds: Self.longest) }
    let now = AmbientClock.continuous.now
    let since = idleSince ?? now
    idleSince = since
    let left = settings.idleTimeout - since.duration(to: now)
    if left > .zero {
      multi.wait(milliseconds: Int32(min(left, .seconds(3_600)) / .milliseconds(1)) + 1)
    } else {
      closeConnections()
    }
  }

  /// Has a new start without connections: libcurl closes those that are unused only when another is made.
  private func closeConnections() {
    mayHaveConnections = false
    idleSince = nil
    guard let fresh = MultiHandle(settings) else { return }
    engine.replace(waker: fresh.waker)
    multi.close()
    multi = fresh
  }
}
#endif
