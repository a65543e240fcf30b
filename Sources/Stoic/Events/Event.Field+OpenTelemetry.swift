extension Event.Field {
  /// The name of the attribute that OpenTelemetry's semantic conventions have for the fact; nil where they have none.
  ///
  /// | key | attribute | its value |
  /// |-|-|-|
  /// | `method` | `http.request.method` | as here; the convention writes `_OTHER` for methods beyond RFC 9110 and PATCH |
  /// | `host` | `server.address` | the part before a `:port`, which belongs into `server.port` |
  /// | `path` | `url.path` | as here |
  /// | `query` | `url.query` | private here |
  /// | `status` | `http.response.status_code` | an integer |
  /// | `error`, `reason` | `error.type` | as here: a short word out of a bounded set |
  ///
  /// `attempt` has none. `http.request.resend_count` is close, but it counts every exchange after the first, followed
  /// redirects included, while an attempt counts as one however often it is redirected. `outcome` has none, since
  /// `error.type` must be absent where nothing failed and an outcome may be a success.
  ///
  /// Source: OpenTelemetry semantic conventions 1.45, HTTP client span.
  public var openTelemetryName: String? {
    switch key {
    case "method": "http.request.method"
    case "host": "server.address"
    case "path": "url.path"
    case "query": "url.query"
    case "status": "http.response.status_code"
    case "error", "reason": "error.type"
    default: nil
    }
  }
}
