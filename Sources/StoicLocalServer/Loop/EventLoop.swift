/// The thread of one server: it accepts, reads, starts handlers and writes, and never blocks but in `poll`.
final class EventLoop {
  /// How long no connection is accepted after the system had no descriptor left.
  private static let shortageTime = Duration.milliseconds(20)
  private static let readBytes = 64 * 1024
  private static let acceptsPerTurn = 64
  private static let outboxesPerTurn = 4

  private let listener: Listener
  private let hub: Hub
  private let limits: LocalServer.Limits
  private let admitter: LocalServer.Admitter?
  private let handler: LocalServer.Handler
  private let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: readBytes, alignment: 16)
  private var connections: [Int: Connection] = [:]
  private var lastNumber = 0
  private var acceptsFrom: ContinuousClock.Instant?

  init(
    listener: Listener, hub: Hub, limits: LocalServer.Limits, admitter: LocalServer.Admitter?,
    handler: @escaping LocalServer.Handler
  ) {
    self.listener = listener
    self.hub = hub
    self.limits = limits
    self.admitter = admitter
    self.handler = handler
  }

  deinit { scratch.deallocate() }

  /// Runs until the hub is told to stop, then closes everything.
  func run() {
    var poller = Poller()
    while let messages = hub.takeMessages() {
      for message in messages { receive(message) }
      if !messages.isEmpty { continue }
      let now = ContinuousClock.now
      resumeTimed(now)
      watch(&poller, now: now)
      poller.poll(until: nextInstant, now: now)
      handleReady(poller)
    }
    for connection in connections.values { close(connection) }
    listener.descriptor.close()
    hub.end()
  }

  private func watch(_ poller: inout Poller, now: ContinuousClock.Instant) {
    poller.removeAll()
    poller.watch(hub.wakeDescriptor, for: .input)
    if let instant = acceptsFrom, instant <= now { acceptsFrom = nil }
    let accepts = acceptsFrom == nil && connections.count < limits.connections
    poller.watch(listener.descriptor, for: accepts ? .input : [])
    for connection in connections.values {
      var interest: Poller.Interest = connection.acceptsInput ? .input : .hangUp
      if connection.hasOutput { interest.insert(.output) }
      poller.watch(connection.descriptor, for: interest, tag: connection.number)
    }
  }

  private var nextInstant: ContinuousClock.Instant? {
    var next = acceptsFrom
    for connection in connections.values {
      guard let instant = connection.wakesAt else { continue }
      next = next.map { min($0, instant) } ?? instant
    }
    return next
  }

  private func resumeTimed(_ now: ContinuousClock.Instant) {
    for connection in connections.values {
      guard let instant = connection.wakesAt, instant <= now else { continue }
      if connection.drainsUntil != nil {
        close(connection)
      } else {
        connection.hold = nil
        write(connection)
      }
    }
  }

  private func handleReady(_ poller: Poller) {
    if poller.isReady(0) { hub.drainWakePipe() }
    if poller.isReady(1) { accept() }
    for index in 2..<poller.count where poller.isReady(index) {
      // Looked up each time: an earlier event of this turn may have closed it.
      guard let connection = connections[poller.tag(index)] else { continue }
      if poller.canWrite(index) { write(connection) }
      guard poller.canRead(index), connections[connection.number] != nil else { continue }
      if connection.acceptsInput { read(connection) } else { lose(connection) }
    }
  }

  private func receive(_ message: Hub.Message) {
    switch message {
    case .respond(let number, let response):
      guard let connection = connections[number], let exchange = connection.exchange else { return }
      connection.handler = nil
      connection.writer = WireWriter(
        response, method: exchange.method, keepsAlive: exchange.keepsAlive)
      write(connection)
    case .admit(let number, let admission):
      guard let connection = connections[number], let (request, awaitsContinue) = connection.admission else {
        return
      }
      connection.handler = nil
      connection.admission = nil
      admit(request, admission, awaitsContinue: awaitsContinue, on: connection)
    case .gateOpened(let number):
      guard let connection = connections[number], case .gate = connection.hold else { return }
      connection.hold = nil
      write(connection)
    }
  }

  private func accept() {
    for _ in 0..<Self.acceptsPerTurn {
      guard connections.count < limits.connections else { return }
      switch listener.accept() {
      case .connection(let descriptor):
        lastNumber += 1
        connections[lastNumber] = Connection(number: lastNumber, descriptor: descriptor, limits: limits)
        hub.count {
          $0.connections += 1
          $0.openConnections += 1
        }
      case .none:
        return
      case .shortage:
        acceptsFrom = .now + Self.shortageTime
        return
      }
    }
  }

  private func read(_ connection: Connection) {
    switch connection.descriptor.read(into: scratch) {
    case .moved(let count):
      guard connection.drainsUntil == nil else { return }
      connection.parser.append(UnsafeRawBufferPointer(rebasing: scratch[..<count]))
      advance(connection)
    case .wouldBlock:
      return
    case .ended, .failed:
      lose(connection)
    }
  }

  /// Takes the next request from what was read, unless one is being answered.
  private func advance(_ connection: Connection) {
    while connection.isReading, connections[connection.number] != nil {
      switch connection.parser.next() {
      case .incomplete:
        return
      case .head(let parsed, let awaitsContinue):
        if let admitter {
          ask(admitter, about: parsed, awaitsContinue: awaitsContinue, on: connection)
        } else if awaitsContinue {
          sendContinue(on: connection)
        }
      case .request(let parsed):
        handle(parsed, on: connection)
      case .refused(let refusal):
        connection.isRefusing = true
        connection.hasUnread = true
        hub.count { $0.refused += 1 }
        let response = LocalServer.Response.text(refusal.reason + "\n", status: refusal.status)
        connection.writer = WireWriter(response, method: "", keepsAlive: false)
        write(connection)
      }
    }
  }

  private func sendContinue(on connection: Connection) {
    connection.outbox.append(framing: "HTTP/1.1 100 \r\n\r\n")
    write(connection)
  }

  private func ask(
    _ admitter: @escaping LocalServer.Admitter, about parsed: ParsedRequest, awaitsContinue: Bool,
    on connection: Connection
  ) {
    let number = connection.number
    let request = LocalServer.Request(
      parsed, isWhole: false, connection: number, number: connection.requests + 1)
    connection.admission = (parsed, awaitsContinue)
    connection.handler = Task { [hub] in
      let admission = await admitter(request)
      hub.post(.admit(connection: number, admission))
    }
  }

  private func admit(
    _ parsed: ParsedRequest, _ admission: LocalServer.Admission, awaitsContinue: Bool,
    on connection: Connection
  ) {
    switch admission {
    case .read:
      if awaitsContinue { sendContinue(on: connection) }
      advance(connection)
    case .readWithoutContinue:
      advance(connection)
    case .answer(let response):
      record(parsed, isWhole: false, on: connection)
      connection.hasUnread = true
      connection.writer = WireWriter(response, method: parsed.method, keepsAlive: false)
      write(connection)
    }
  }

  @discardableResult
  private func record(_ parsed: ParsedRequest, isWhole: Bool, on connection: Connection)
    -> LocalServer.Request
  {
    connection.requests += 1
    connection.exchange = (parsed.method, parsed.keepsAlive)
    let request = LocalServer.Request(
      parsed, isWhole: isWhole, connection: connection.number, number: connection.requests)
    hub.record(request)
    return request
  }

  private func handle(_ parsed: ParsedRequest, on connection: Connection) {
    let request = record(parsed, isWhole: true, on: connection)
    let number = connection.number
    connection.handler = Task { [hub, handler] in
      let response = await handler(request)
      hub.post(.respond(connection: number, response))
    }
  }

  /// Makes and sends bytes until the client has to read, the response has to wait, or it is done.
  private func write(_ connection: Connection) {
    var filled = 0
    while true {
      if !connection.outbox.isEmpty {
        switch hub.send(&connection.outbox, to: connection.descriptor) {
        case .moved: continue
        case .wouldBlock: return
        case .ended, .failed: return lose(connection)
        }
      }
      guard connection.hold == nil, filled < Self.outboxesPerTurn else { return }
      guard let step = connection.writer?.next(into: &connection.outbox) else { return }
      switch step {
      case .send:
        filled += 1
      case .pause(let duration):
        connection.hold = .time(.now + min(max(duration, .zero), Poller.longestWait))
      case .gate(let gate):
        let number = connection.number
        let waiter = gate.whenOpen { [hub] in hub.post(.gateOpened(connection: number)) }
        connection.hold = .gate(gate, waiter: waiter)
      case .hang:
        connection.hold = .forever
      case .finish(let ending):
        return finish(connection, ending)
      }
    }
  }

  private func finish(_ connection: Connection, _ ending: ResponseWriter.Ending) {
    let wasRefusing = connection.isRefusing
    connection.writer = nil
    connection.exchange = nil
    if !wasRefusing { hub.count { $0.responses += 1 } }
    switch ending {
    case .keep:
      advance(connection)
    case .reset:
      close(connection, withReset: true)
    case .close where connection.hasUnread:
      // What the client still sends is read and dropped: closing over it would reset the connection, and the
      // client would lose the answer.
      connection.descriptor.endWriting()
      connection.drainsUntil = .now + limits.drainTime
    case .close:
      close(connection)
    }
  }

  /// The client has ended the connection, or it broke.
  private func lose(_ connection: Connection) {
    let isDrained = connection.drainsUntil != nil
    let wasAnswering = connection.exchange != nil
    let wasCutShort = connection.isCutShort
    close(connection) {
      if !isDrained { $0.disconnects += 1 }
      if wasAnswering { $0.undelivered += 1 }
      if wasCutShort { $0.cutShort += 1 }
    }
  }

  private func close(
    _ connection: Connection, withReset: Bool = false,
    counting change: (inout LocalServer.Counts) -> Void = { _ in }
  ) {
    connections[connection.number] = nil
    connection.handler?.cancel()
    if case .gate(let gate, let waiter) = connection.hold { gate.forget(waiter) }
    if withReset { connection.descriptor.reset() } else { connection.descriptor.close() }
    hub.count {
      $0.openConnections -= 1
      change(&$0)
    }
  }
}
