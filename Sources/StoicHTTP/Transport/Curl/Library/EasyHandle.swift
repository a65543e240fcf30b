#if os(Linux) || os(macOS)
import CCurl

/// One transfer of libcurl, for one exchange.
///
/// libcurl could use it for another one. But up to 8.0 it goes on pointing to the last field of the response before, which
/// it has freed, and adds a folded line to it; and `curl_easy_reset` clears neither that nor what it remembers of a
/// connection that it lost. Connections are not the handle's.
///
/// For the engine's thread alone, on which it is made, used and let go. What keeps it sound: libcurl copies every text;
/// the list of fields and the buffer for an error's text live as long as the handle and are freed after it; and the
/// transfer that callbacks are handed is kept alive by whoever attached it for as long as the handle is in a
/// ``MultiHandle``, since nothing is called otherwise.
final class EasyHandle {
  let pointer: OpaquePointer
  private let errorText: UnsafeMutablePointer<CChar>
  private var fields: OpaquePointer?

  /// Nil when memory has run out.
  init?() {
    guard let pointer = stoic_curl_easy_make() else { return nil }
    self.pointer = pointer
    errorText = .allocate(capacity: Int(STOIC_CURL_ERROR_SIZE))
    errorText.initialize(repeating: 0, count: Int(STOIC_CURL_ERROR_SIZE))
  }

  deinit {
    stoic_curl_easy_free(pointer)
    stoic_curl_list_free(fields)
    errorText.deallocate()
  }

  func set(_ option: stoic_curl_number, _ value: Int) {
    stoic_curl_set_number(pointer, option, value)
  }

  /// Sets a text, which must not hold a NUL; nil takes it back, and what libcurl has by default with it.
  func set(_ option: stoic_curl_text, _ value: String?) {
    stoic_curl_set_text(pointer, option, value)
  }

  func setBodySize(_ count: Int) {
    stoic_curl_set_body_size(pointer, Int64(count))
  }

  /// Sets the lines of the header section; false when memory has run out.
  func setFields(_ lines: [String]) -> Bool {
    for line in lines {
      guard let longer = stoic_curl_list_append(fields, line) else { return false }
      fields = longer
    }
    stoic_curl_set_fields(pointer, fields)
    return true
  }

  /// Has the transfer be told of what happens; the caller keeps it alive meanwhile.
  func attach(_ transfer: CurlTransfer, asksBeforeSending: Bool) {
    let context = Unmanaged.passUnretained(transfer).toOpaque()
    stoic_curl_set_error_text(pointer, errorText)
    stoic_curl_set_callbacks(
      pointer, context, CurlCallbacks.header, CurlCallbacks.body, CurlCallbacks.upload)
    stoic_curl_set_socket_callback(pointer, context, CurlCallbacks.socket)
    if asksBeforeSending { _ = stoic_curl_set_send_callback(pointer, context, CurlCallbacks.beforeSend) }
  }

  /// Lets go on what a callback has held up, and calls back from inside of it; the code of a failure of that is not 0, and
  /// is told nowhere else.
  func goOn() -> Int32 { stoic_curl_go_on(pointer) }

  /// Whether TLS holds something of the connection that is about to be used, unread; only inside of the callback before
  /// sending.
  var hasUnreadInput: Bool { stoic_curl_has_unread_input(pointer) }

  func number(_ info: stoic_curl_info) -> Int {
    stoic_curl_get_number(pointer, info)
  }

  /// What libcurl says of the failure, or nothing.
  var failureText: String { String(cString: errorText) }
}
#endif
