/// Which header fields make two GETs different requests.
public enum VaryHeaders: Sendable, Hashable {
  /// All but these, without regard to case.
  case all(except: Set<String>)
  /// These alone, without regard to case.
  case only(Set<String>)

  /// The fields that name a request or a trace, and that no answer depends on.
  public static let tracing: Set<String> = [
    "traceparent", "tracestate", "baggage", "b3", "x-b3-traceid", "x-b3-spanid", "x-b3-parentspanid",
    "x-b3-sampled",
    "x-request-id", "x-correlation-id", "x-amzn-trace-id", "x-cloud-trace-context",
  ]
}
