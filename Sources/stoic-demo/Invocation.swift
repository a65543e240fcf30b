package import Foundation

/// What the arguments ask for.
package enum Invocation: Equatable {
  /// Run every scenario.
  case scenarios
  /// Get this URL.
  case fetch(URL)
  /// Play the outage, and write its picture to this file where one is given.
  case outage(svg: String?)
  /// Say how the program is used.
  case help
  /// Nothing that can be done; says why, without the argument, which may hold a secret.
  case misuse(String)

  /// Reads the arguments, the program's name not among them.
  package init(_ arguments: some Collection<String>) {
    if arguments.contains(where: { $0 == "--help" || $0 == "-h" }) {
      self = .help
    } else if arguments.first == "outage" {
      self = Self.outage(Array(arguments.dropFirst()))
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

  private static func outage(_ options: [String]) -> Invocation {
    guard let option = options.first else { return .outage(svg: nil) }
    guard option == "--svg" else { return .misuse("outage takes --svg FILE and nothing else") }
    guard options.count == 2, !options[1].isEmpty else { return .misuse("--svg takes one file") }
    return .outage(svg: options[1])
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
    usage: stoic-demo                      run every scenario against servers of its own, on this machine
           stoic-demo URL                  GET an http or https URL, telling what happens
           stoic-demo outage [--svg FILE]  a thousand clients through a minute's outage, in virtual time,
                                           with and without budget and breaker; FILE gets the picture
           stoic-demo --help               show this

    Without arguments the exit status is 0 when every scenario ended as expected, else 1.
    With a URL it is 0 when the server answered with a success, else 1.
    With outage it is 0 when the load stayed within what was computed and came back, else 1.
    Arguments that make no sense end it with 2. NO_COLOR turns colours off.

    """
}
