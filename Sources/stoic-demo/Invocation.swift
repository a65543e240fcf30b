import Foundation

/// What the arguments ask for.
enum Invocation: Equatable {
  /// Run every scenario.
  case scenarios
  /// Get this URL.
  case fetch(URL)
  /// Say how the program is used.
  case help
  /// Nothing that can be done; says why, without the argument, which may hold a secret.
  case misuse(String)

  /// Reads the arguments, the program's name not among them.
  init(_ arguments: some Collection<String>) {
    if arguments.contains(where: { $0 == "--help" || $0 == "-h" }) {
      self = .help
    } else if arguments.contains(where: { $0.hasPrefix("-") }) {
      self = .misuse("unknown option")
    } else if arguments.count > 1 {
      self = .misuse("at most one URL is expected")
    } else if let argument = arguments.first {
      self = Self.url(argument).map { .fetch($0) } ?? .misuse("this is not an http or https URL with a host")
    } else {
      self = .scenarios
    }
  }

  private static func url(_ text: String) -> URL? {
    // Foundation would percent-encode what a person has most likely pasted by mistake.
    let isOneWord = text.unicodeScalars.allSatisfy { $0.value > 0x20 && $0.value != 0x7F }
    guard isOneWord, let url = URL(string: text), let scheme = url.scheme?.lowercased(),
      ["http", "https"].contains(scheme), let host = url.host(), !host.isEmpty,
      (1...65_535).contains(url.port ?? 80)
    else { return nil }
    return url
  }
}

enum Usage {
  /// How the program is used.
  static let text = """
    usage: stoic-demo          run every scenario against servers of its own, on this machine
           stoic-demo URL      GET an http or https URL, telling what happens
           stoic-demo --help   show this

    Without a URL the exit status is 0 when every scenario ended as expected, else 1.
    With a URL it is 0 when the server answered with a success, else 1.
    Arguments that make no sense end it with 2. NO_COLOR turns colours off.

    """
}
