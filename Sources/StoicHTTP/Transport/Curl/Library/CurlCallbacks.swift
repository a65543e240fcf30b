#if os(Linux) || os(macOS)
import CCurl

/// What libcurl calls: each finds the transfer again and hands it a view of the bytes, which ends with the call.
///
/// The context is a transfer that the engine keeps alive until the handle is out of its hands, and all of them are called on the
/// engine's thread, from inside of a call to libcurl.
enum CurlCallbacks {
  static let header: stoic_curl_data_callback = { bytes, size, count, context in
    guard let transfer = transfer(context) else { return 0 }
    return transfer.receive(line: view(bytes, size * count).span) ? size * count : 0
  }

  static let body: stoic_curl_data_callback = { bytes, size, count, context in
    guard let transfer = transfer(context) else { return 0 }
    switch transfer.receive(body: view(bytes, size * count).span) {
    case .taken: return size * count
    case .notNow: return Int(STOIC_CURL_WRITEFUNC_PAUSE)
    case .refused: return 0
    }
  }

  static let upload: stoic_curl_data_callback = { room, size, count, context in
    guard let transfer = transfer(context), let room else { return Int(STOIC_CURL_READFUNC_ABORT) }
    let bytes = transfer.nextOfBody(atMost: size * count)
    bytes.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return }
      UnsafeMutableRawPointer(room).copyMemory(from: start, byteCount: bytes.count)
    }
    return bytes.count
  }

  static let socket: stoic_curl_socket_callback = { context, descriptor, _ in
    stoic_socket_close_on_exec(descriptor)
    transfer(context)?.sockets.add(descriptor)
    return 0
  }

  static let beforeSend: stoic_curl_send_callback = { context, _, _, remotePort, localPort in
    let ports = OpenSockets.Ports(local: localPort, remote: remotePort)
    let mayBeSent = transfer(context)?.maySend(between: ports) ?? false
    return Int32(mayBeSent ? STOIC_CURL_PREREQFUNC_OK : STOIC_CURL_PREREQFUNC_ABORT)
  }

  /// The transfer of a context.
  static func transfer(_ context: UnsafeMutableRawPointer?) -> CurlTransfer? {
    context.map { Unmanaged<CurlTransfer>.fromOpaque($0).takeUnretainedValue() }
  }

  private static func view(_ bytes: UnsafeMutablePointer<CChar>?, _ count: Int) -> UnsafeBufferPointer<UInt8>
  {
    // Bytes may be looked at as any type of their size.
    let start = bytes.map { UnsafeRawPointer($0).assumingMemoryBound(to: UInt8.self) }
    return UnsafeBufferPointer(start: start, count: start == nil ? 0 : count)
  }
}

extension [UInt8] {
  /// Adds what somebody else's memory holds now.
  mutating func append(_ bytes: Span<UInt8>) {
    bytes.withUnsafeBufferPointer { append(contentsOf: $0) }
  }
}
#endif
