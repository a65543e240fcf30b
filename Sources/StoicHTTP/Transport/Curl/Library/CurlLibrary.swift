#if os(Linux) || os(macOS)
import CCurl

/// The libcurl that this process has loaded.
struct CurlLibrary: Sendable {
  /// As libcurl counts: 0x075801 for 7.88.1.
  let version: UInt32

  /// Loads libcurl, once per process.
  static let loaded: Result<CurlLibrary, CurlTransport.Unavailable> = {
    guard stoic_curl_load() else {
      return .failure(CurlTransport.Unavailable(reason: String(cString: stoic_curl_load_failure())))
    }
    return .success(CurlLibrary(version: stoic_curl_version_number()))
  }()

  /// The versions of libcurl and of what it is built on, in its own words.
  var text: String { String(cString: stoic_curl_version_text()) }

  /// Whether it asks before a request is sent, each time.
  var asksBeforeSending: Bool { version >= 0x07_50_00 }
  /// Whether its protocols are named, not numbered.
  var namesProtocols: Bool { version >= 0x07_55_00 }
  /// Whether it counts what it has written of a request, which two releases did not.
  var countsWritten: Bool { !(0x08_07_00..<0x08_08_00).contains(version) }
  /// Whether it can leave a look-up of a name behind, which otherwise holds up the thread.
  var leavesLookUps: Bool { version >= 0x07_57_00 }
}
#endif
