// Writes what a module offers, a line a symbol, sorted: `swift api.swift GRAPHS FOLDER MODULE…`.
//
// A line is the symbol's path and its declaration; a type's conformances follow it on a line of their own.
import Foundation

struct Graph: Decodable {
  struct Symbol: Decodable {
    struct Identifier: Decodable { let precise: String }
    struct Fragment: Decodable { let spelling: String }

    let identifier: Identifier
    let pathComponents: [String]
    let declarationFragments: [Fragment]
  }

  struct Relationship: Decodable {
    let kind: String
    let source: String
    let target: String
    let targetFallback: String?
  }

  struct Module: Decodable { let name: String }

  let module: Module
  let symbols: [Symbol]
  let relationships: [Relationship]
}

/// What every type has unless it says otherwise, so that saying it tells nothing.
let implied: Set = ["Swift.Copyable", "Swift.Escapable", "Swift.SendableMetatype"]

func squeezed(_ text: String) -> String { text.split(whereSeparator: \.isWhitespace).joined(separator: " ") }

func lines(of graph: Graph) -> [String] {
  // A default implementation shows up again below each type that has it.
  let own = graph.symbols.filter { !$0.identifier.precise.contains("::SYNTHESIZED::") }
  let names = Dictionary(
    own.map { ($0.identifier.precise, $0.pathComponents.joined(separator: ".")) },
    uniquingKeysWith: { name, _ in name })
  let symbols = own.map { symbol in
    let declaration = squeezed(symbol.declarationFragments.map(\.spelling).joined())
    return "\(symbol.pathComponents.joined(separator: "."))  |  \(declaration)"
  }
  let conformances = Dictionary(
    grouping: graph.relationships.filter {
      $0.kind == "conformsTo" && !implied.contains($0.targetFallback ?? "")
    },
    by: \.source)
  let lists = conformances.compactMap { source, targets -> String? in
    guard let name = names[source] else { return nil }
    let protocols = Set(
      targets.map { ($0.targetFallback ?? names[$0.target] ?? $0.target).replacing("Swift.", with: "") })
    return "\(name)  :  \(protocols.sorted().joined(separator: ", "))"
  }
  return symbols + lists
}

func run() throws {
  let (graphs, folder) = (CommandLine.arguments[1], CommandLine.arguments[2])
  for module in CommandLine.arguments[3...] {
    // `Module@Other.symbols.json` holds what the module adds to types of another.
    let files = try FileManager.default.contentsOfDirectory(atPath: graphs).filter {
      $0 == "\(module).symbols.json" || $0.hasPrefix("\(module)@")
    }
    let found = try files.flatMap { file in
      let bytes = try Data(contentsOf: URL(filePath: graphs).appending(path: file))
      return lines(of: try JSONDecoder().decode(Graph.self, from: bytes))
    }
    let text = found.sorted().map { $0 + "\n" }.joined()
    try Data(text.utf8).write(to: URL(filePath: folder).appending(path: "\(module).txt"))
  }
}

try run()
