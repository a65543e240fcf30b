/// Which redirects a client follows.
public enum RedirectPolicy: Sendable, Hashable {
  /// Those that keep the method, and 303 as a GET; a 301 or 302 to a POST or PATCH is the answer.
  case standard
  /// None: every 3xx is the answer.
  case none
  /// As ``standard``, and a 301 or 302 to a POST or PATCH is followed by a GET without the body, as browsers do.
  case allowingMethodRewrite
}
