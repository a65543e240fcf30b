import Testing

/// Time, randomness and tasks come through `Ambient` alone, or a simulation loses hold of them.
enum AmbientDoor {
  /// A place where a snippet may stand all the same.
  struct Exception {
    let path: String
    let snippet: String
    let reason: String
  }

  static let door = "Sources/Stoic/Ambient/"
  static let modules: Set = ["Stoic", "StoicHTTP"]

  static let exceptions = [
    Exception(
      path: "Sources/Stoic/Deadline/Interruptible.swift", snippet: "Task(",
      reason: "a deadline interrupts its body, which needs a task of its own; it runs on the ambient executor"
    ),
    Exception(
      path: "Sources/StoicHTTP/Client/HTTPPolicy.swift", snippet: "Date()",
      reason: "the wall clock itself, which a policy's field replaces; for HTTP-dates alone"),
    Exception(
      path: "Sources/Stoic/Deadline/Interruptible.swift", snippet: "Task.immediate(",
      reason: "the same task, started without a hop where the system can"),
  ]

  /// What may not stand outside the door, and what to use in its place.
  static let banned = [
    "Task.sleep": "Ambient.sleep",
    "Thread.sleep": "Ambient.sleep",
    "usleep(": "Ambient.sleep",
    "nanosleep(": "Ambient.sleep",
    ".asyncAfter(": "AmbientClock.schedule(at:)",
    "Timer.scheduledTimer": "AmbientClock.schedule(at:)",
    "Task {": "Ambient.spawn",
    "Task(": "Ambient.spawn",
    "Task.init": "Ambient.spawn",
    "Task.detached": "Ambient.spawn",
    "Task.immediate(": "Ambient.spawn",
    "Task.immediate {": "Ambient.spawn",
    "Task.immediateDetached": "Ambient.spawn",
    "ContinuousClock.now": "Ambient.clock.now",
    "ContinuousClock(": "Ambient.clock",
    "SuspendingClock": "Ambient.clock",
    "DispatchTime.now": "Ambient.clock.now",
    "DispatchWallTime.now": "the policy's wallClock",
    "clock_gettime(": "Ambient.clock.now",
    "Date()": "the policy's wallClock",
    "Date.now": "the policy's wallClock",
    "SystemRandomNumberGenerator": "Ambient.random",
    "UUID()": "Ambient.random",
    ".randomElement()": "randomElement(using:) with Ambient.random",
    ".shuffled()": "shuffled(using:) with Ambient.random",
    ".shuffle()": "shuffle(using:) with Ambient.random",
    ".random()": "random(using:) with Ambient.random",
  ]

  static func violations(in file: SourceFile, used: inout Set<String>) -> [Violation] {
    guard let module = file.module, modules.contains(module), !file.path.hasPrefix(door) else { return [] }
    var found: [Violation] = []
    for (snippet, replacement) in banned {
      for place in file.places(of: snippet) {
        if exceptions.contains(where: { $0.path == file.path && $0.snippet == snippet }) {
          used.insert("\(file.path) \(snippet)")
        } else {
          found.append(violation(file, place, "\(snippet) is outside the ambient door; use \(replacement)"))
        }
      }
    }
    for place in file.places(of: ".random(in:") where !isSeeded(file, place) {
      found.append(violation(file, place, "a random number without `using:`; pass Ambient.random"))
    }
    return found
  }

  private static func violation(_ file: SourceFile, _ place: Range<Int>, _ advice: String) -> Violation {
    Violation(path: file.path, line: file.tokens[place.lowerBound].line, advice: advice)
  }

  private static func isSeeded(_ file: SourceFile, _ place: Range<Int>) -> Bool {
    let opening = place.lowerBound + 2
    var depth = 0
    for (token, next) in zip(file.tokens[opening...], file.tokens[(opening + 1)...]) {
      if token.isSymbol("(") { depth += 1 }
      if token.isSymbol(")") { depth -= 1 }
      if depth == 1, token.isWord("using"), next.isSymbol(":") { return true }
      if depth == 0 { return false }
    }
    return false
  }
}

@Suite("The ambient door")
struct AmbientDoorTests {
  @Test("No core source reaches time, randomness or tasks except through the ambient door")
  func holds() {
    var used: Set<String> = []
    report(Repository.sources.flatMap { AmbientDoor.violations(in: $0, used: &used) })
    for exception in AmbientDoor.exceptions {
      let key = "\(exception.path) \(exception.snippet)"
      #expect(used.contains(key), "\(key) is excepted but no longer there: take the exception out")
    }
  }

  @Test(
    "A way around the door is found",
    arguments: [
      "try await Task.sleep(for: .seconds(1))", "Task { await work() }", "Task<Void, Never> { }",
      "Task(priority: .high) { }", "Task.detached { }", "let now = ContinuousClock.now",
      "let clock = ContinuousClock()", "let clock: SuspendingClock", "let date = Date()", "Date ( )",
      "let x = Int.random(in: 0..<9)", "let x = Double.random(\n  in: pick(using: 1))",
      "var source = SystemRandomNumberGenerator()", "Thread.sleep(forTimeInterval: 1)",
      "DispatchQueue.main.asyncAfter(deadline: when) { }", "let id = UUID()", "list.shuffled()",
      #"let text = "at \(Date())""#,
    ])
  func found(planted: String) {
    #expect(violations(in: planted, at: "Sources/Stoic/Retry/Planted.swift").count == 1)
    #expect(violations(in: planted, at: "Sources/StoicHTTP/Client/Planted.swift").count == 1)
    #expect(violations(in: planted, at: "Sources/Stoic/Ambient/Planted.swift").isEmpty)
    #expect(violations(in: planted, at: "Sources/StoicTesting/Planted.swift").isEmpty)
  }

  @Test(
    "What only looks like a way around the door is not found",
    arguments: [
      "// Task.sleep(for:) would be a real wait", #"let text = "Task { Date() }""#,
      "let work: Task<Void, Never>",
      "dataTask(with: request)", "Int.random(in: 0..<9, using: &source)", "try Task.checkCancellation()",
      "/* Date() /* Date() */ Date() */", ##"let raw = #"a " Date() "#"##, "Date(timeIntervalSince1970: 0)",
    ])
  func notFound(planted: String) {
    #expect(violations(in: planted, at: "Sources/Stoic/Retry/Planted.swift").isEmpty)
  }

  private func violations(in text: String, at path: String) -> [Violation] {
    var used: Set<String> = []
    return AmbientDoor.violations(in: SourceFile(path: path, text: text), used: &used)
  }
}
