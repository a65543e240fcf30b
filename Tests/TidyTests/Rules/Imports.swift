import Testing

/// What each module may import: only what stands above it, and no more of the system than it needs.
enum Imports {
  private static let libc: Set = ["Glibc", "Musl", "Darwin", "Android", "Bionic"]
  private static let ours: Set = [
    "Stoic", "StoicJSON", "StoicSchema", "StoicHTTP", "StoicTesting", "StoicLocalServer",
  ]

  static let allowed: [String: Set<String>] = [
    "Stoic": ["Synchronization"],
    "StoicJSON": [],
    "StoicSchema": ["StoicJSON"],
    "StoicHTTP": ["Stoic", "StoicJSON", "StoicSchema", "Foundation", "FoundationNetworking", "CCurl"],
    "StoicTesting": ["Stoic", "Foundation", "Testing", "Synchronization", "_Concurrency"],
    "StoicLocalServer": libc.union(["Foundation", "Dispatch"]),
    "stoic-demo": ours.union(["Foundation"]),
    "stoic-bench": ours.union(["Foundation", "CAllocations", "CLibcurlLoop"]),
  ]

  /// Files and folders that alone may import more.
  private static let exceptions: [(prefix: String, names: Set<String>)] = [
    // The POSIX mutex that the thread sanitizer understands.
    ("Sources/Stoic/Support/Lock.swift", libc),
    // How large the thread's stack is.
    ("Sources/StoicSchema/Memory/Stack.swift", libc),
    // Dates, decimals, UUIDs and URLs are Foundation's.
    ("Sources/StoicSchema/Foundation/", ["Foundation"]),
    // The loading system calls back on queues.
    ("Sources/StoicHTTP/Transport/", ["Dispatch"]),
  ]

  static func violations(in file: SourceFile) -> [Violation] {
    let imports = imports(of: file)
    guard let module = file.module else {
      return file.places(of: "@testable").map { place in
        Violation(
          path: file.path, line: file.tokens[place.lowerBound].line,
          advice: "@testable hides what a test reaches for; make it `package`")
      }
    }
    guard var names = allowed[module] else {
      return [Violation(path: file.path, line: 1, advice: "\(module) has no row in Imports.allowed; add one")]
    }
    for exception in exceptions where file.path.hasPrefix(exception.prefix) {
      names.formUnion(exception.names)
    }
    if module == "StoicJSON", isDataBridge(file.path) { names.insert("Foundation") }
    return imports.filter { !names.contains($0.text) }.map { name in
      Violation(
        path: file.path, line: name.line, advice: "\(module) may not import \(name.text); see Imports.allowed"
      )
    }
  }

  private static func isDataBridge(_ path: String) -> Bool { path.hasSuffix("+Data.swift") }

  /// The names of the modules that a file imports.
  private static func imports(of file: SourceFile) -> [Token] {
    let kinds: Set = ["struct", "class", "enum", "protocol", "typealias", "func", "let", "var"]
    return file.tokens.indices.compactMap { index in
      guard file.tokens[index].isWord("import") else { return nil }
      return file.tokens[(index + 1)...].first { !($0.kind == .word && kinds.contains($0.text)) }
    }
  }
}

/// The core is made of state and locks: an actor runs its queue in one step and hides interleavings from a simulation.
enum CoreActors {
  static func violations(in file: SourceFile) -> [Violation] {
    guard let module = file.module, AmbientDoor.modules.contains(module) else { return [] }
    return zip(file.tokens, file.tokens.dropFirst()).compactMap { word, next in
      guard word.isWord("actor"), next.kind == .word || next.kind == .quotedWord else { return nil }
      return Violation(
        path: file.path, line: word.line, advice: "an actor in \(module); hold a state struct in a Lock")
    }
  }
}

@Suite("Modules")
struct ImportsTests {
  @Test("A module imports only what stands above it")
  func holds() {
    report(Repository.swift.flatMap(Imports.violations))
  }

  @Test(
    "An import that a module may not have is found",
    arguments: [
      ("Sources/Stoic/Retry/Planted.swift", "import Foundation"),
      ("Sources/Stoic/Retry/Planted.swift", "import Glibc"),
      ("Sources/Stoic/Retry/Planted.swift", "public import StoicJSON"),
      ("Sources/StoicJSON/Planted.swift", "import struct Foundation.Data"),
      ("Sources/StoicSchema/Planted.swift", "internal import Stoic"),
      ("Sources/StoicSchema/Schema/Planted.swift", "import Foundation"),
      ("Sources/StoicHTTP/Planted.swift", "import Dispatch"),
      ("Sources/StoicHTTP/Planted.swift", "@preconcurrency import StoicTesting"),
      ("Sources/StoicLocalServer/Planted.swift", "import StoicHTTP"),
      ("Sources/Unknown/Planted.swift", "import Foundation"),
      ("Sources/Unknown/Planted.swift", "struct A {}"),
      ("Tests/StoicTests/Planted.swift", "@testable import Stoic"),
    ])
  func found(path: String, planted: String) {
    #expect(Imports.violations(in: SourceFile(path: path, text: planted)).count == 1)
  }

  @Test(
    "An import that a module may have is none",
    arguments: [
      ("Sources/Stoic/Support/Lock.swift", "#if canImport(Glibc)\nimport Glibc\n#endif"),
      ("Sources/StoicJSON/Value/JSON+Data.swift", "public import Foundation"),
      ("Sources/StoicSchema/Foundation/Planted.swift", "public import Foundation"),
      ("Sources/StoicHTTP/Planted.swift", "@_exported public import Stoic"),
      ("Sources/Stoic/Planted.swift", "// import Foundation"),
    ])
  func notFound(path: String, planted: String) {
    #expect(Imports.violations(in: SourceFile(path: path, text: planted)).isEmpty)
  }
}

@Suite("No actors in the core")
struct CoreActorsTests {
  @Test("Neither Stoic nor StoicHTTP declares an actor")
  func holds() {
    report(Repository.sources.flatMap(CoreActors.violations))
  }

  @Test(
    "An actor is found where it may not be",
    arguments: [
      ("Sources/Stoic/A.swift", "public actor Breaker {}", 1),
      ("Sources/StoicHTTP/A.swift", "actor A: B {}", 1),
      ("Sources/StoicTesting/A.swift", "actor A {}", 0), ("Sources/Stoic/A.swift", "isolation: any Actor", 0),
      ("Sources/Stoic/A.swift", "let actor = 1", 0),
    ])
  func found(path: String, planted: String, count: Int) {
    #expect(CoreActors.violations(in: SourceFile(path: path, text: planted)).count == count)
  }
}
