// Writes the Swift blocks of the pages out as sources: `swift documents.swift ROOT FOLDER MANIFEST`.
//
// Each page becomes a module in FOLDER, named on a line `module NAME`. A block is one of
//
//   ```swift                    compiled; with an `import` it is a file of its own, without one it joins the page's
//                               common file, which has the imports of all of them. Declarations stand at the top level;
//                               statements go into an async throwing function, where they see those of earlier blocks.
//   ```swift package            lines for a manifest, `.package(…)` and `.product(…)`; written to MANIFEST.
//   ```swift no-compile: why    not compiled, and said aloud.
//   <!-- given … -->            Swift that a contract or an article takes for granted: compiled, not shown. README and
//                               AGENTS have none, since a reader has nothing but what they show.
import Foundation

struct Block {
  let page: String
  let line: Int
  let info: String
  let lines: [String]
}

struct Item {
  let line: Int
  let lines: [String]

  private static let modifiers: Set = [
    "public", "package", "internal", "private", "fileprivate", "final", "nonisolated", "indirect", "open",
  ]
  private static let declarations: Set = [
    "struct", "class", "enum", "protocol", "extension", "func", "actor", "typealias", "macro",
  ]

  /// The keyword that the item starts with, behind comments, attributes and modifiers.
  private var keyword: String? {
    let code = lines.map { $0.trimmingCharacters(in: .whitespaces) }.filter {
      !$0.isEmpty && !$0.hasPrefix("//")
    }
    var rest = Substring(code.joined(separator: " "))
    while let attribute = rest.prefixMatch(of: #/@\w+(?:\((?:[^()"]|"[^"]*"|\([^()]*\))*\))? +/#) {
      rest = rest[attribute.range.upperBound...]
    }
    return rest.split { !$0.isLetter }.map(String.init).first { !Self.modifiers.contains($0) }
  }

  var isImport: Bool { keyword == "import" }
  var isDeclaration: Bool { keyword.map(Self.declarations.contains) ?? false }
  var isEmpty: Bool { keyword == nil }
}

var problems = 0

func complain(_ block: Block, _ text: String) {
  print("\(block.page):\(block.line): \(text)")
  problems += 1
}

/// The Swift blocks of a page in order; what is given has the info `given`.
func blocks(of page: String, _ text: String) -> [Block] {
  var blocks: [Block] = []
  var open: (info: String, end: String, line: Int, lines: [String], indent: Int)?
  for (index, line) in text.components(separatedBy: "\n").enumerated() {
    let trimmed = line.drop { $0 == " " }
    let indent = line.count - trimmed.count
    if let block = open {
      if trimmed.hasPrefix(block.end) {
        blocks.append(Block(page: page, line: block.line + 1, info: block.info, lines: block.lines))
        open = nil
      } else {
        open?.lines.append(String(line.dropFirst(min(block.indent, indent))))
      }
    } else if trimmed.hasPrefix("```") {
      let info = trimmed.dropFirst(3).trimmingCharacters(in: .whitespaces)
      open = (info, "```", index + 1, [], indent)
    } else if trimmed == "<!-- given" {
      open = ("given", "-->", index + 1, [], indent)
    }
  }
  return blocks.filter { $0.info == "given" || $0.info.prefixMatch(of: #/swift\b/#) != nil }
}

/// A block's pieces: each starts at a line without indentation, and takes what is indented or closes it along.
func items(of block: Block) -> [Item] {
  var items: [Item] = []
  var isOpen = false
  for (offset, line) in block.lines.enumerated() {
    let continues = line.isEmpty || line.hasPrefix(" ") || line.first.map { ")]}.".contains($0) } == true
    if let last = items.last, continues || isOpen {
      items[items.count - 1] = Item(line: last.line, lines: last.lines + [line])
    } else {
      items.append(Item(line: block.line + offset, lines: [line]))
    }
    // Comments and attributes belong to what follows them.
    if !line.isEmpty { isOpen = line.hasPrefix("//") || line.wholeMatch(of: #/@\w+(\(.*\))?/#) != nil }
  }
  return items.filter { !$0.isEmpty }
}

func placed(_ item: Item, of block: Block) -> [String] {
  ["#sourceLocation(file: \"\(block.page)\", line: \(item.line))"] + item.lines + ["#sourceLocation()"]
}

func file(_ blocks: [Block], function: String) -> String {
  var output: [String] = []
  let parts = blocks.map { ($0, items(of: $0)) }
  let imports = Set(parts.flatMap { $1.filter(\.isImport).flatMap(\.lines) }.filter { !$0.isEmpty })
  output += imports.sorted()
  for (block, items) in parts {
    for item in items where item.isDeclaration { output += placed(item, of: block) }
  }
  let bodies = parts.map { ($0, $1.filter { !$0.isDeclaration && !$0.isImport }) }.filter { !$1.isEmpty }
  if !bodies.isEmpty {
    output.append("func \(function)() async throws {")
    for (block, statements) in bodies {
      output.append("do {")
      for statement in statements { output += placed(statement, of: block) }
    }
    output += bodies.map { _ in "}" } + ["}"]
  }
  return output.joined(separator: "\n") + "\n"
}

func write(_ text: String, to url: URL) throws {
  if (try? String(contentsOf: url, encoding: .utf8)) == text { return }
  try FileManager.default.createDirectory(
    at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
  try Data(text.utf8).write(to: url)
}

/// A reader's manifest with the products that the pages name; the package itself is the one at hand.
func manifestText(_ blocks: [Block], root: String) -> String {
  let lines = blocks.flatMap(\.lines).map { $0.trimmingCharacters(in: .whitespaces) }
  let ended = { (line: String) in line.hasSuffix(",") ? line : line + "," }
  let products = Set(lines.filter { $0.hasPrefix(".product(") }.map(ended)).sorted()
  for block in blocks
  where !block.lines.contains(where: { $0.contains(".package(") || $0.contains(".product(") }) {
    complain(block, "a `swift package` block without .package(…) or .product(…)")
  }
  return """
    // swift-tools-version: 6.3
    import PackageDescription

    let package = Package(
      name: "reader",
      platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
      dependencies: [.package(name: "stoic", path: "\(root)")],
      targets: [.target(name: "Reader", dependencies: [\(products.joined(separator: " "))])])

    """
}

/// The module that a page becomes, such as `Design08HttpPage`.
func module(of page: String) -> String {
  let stem = page.replacing("Sources/", with: "").replacing(".docc", with: "").replacing(#/\.md$/#, with: "")
  let words = stem.split { !$0.isLetter && !$0.isNumber }
  return words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined() + "Page"
}

/// The files that a page's blocks become.
func files(of blocks: [Block]) -> [(name: String, text: String)] {
  let own = blocks.filter { items(of: $0).contains(where: \.isImport) }
  let joint = blocks.filter { !items(of: $0).contains(where: \.isImport) }
  var files = own.enumerated().map { index, block in
    ("Block\(index + 1).swift", file([block], function: "statementsOfBlock\(index + 1)"))
  }
  if !joint.isEmpty {
    var imports = Set(
      own.flatMap { items(of: $0).filter(\.isImport).flatMap(\.lines) }.filter { !$0.isEmpty })
    if imports.isEmpty {
      imports = ["import Foundation", "import StoicHTTP", "import StoicLocalServer", "import StoicTesting"]
    }
    let head = imports.sorted().joined(separator: "\n")
    files.append(("Joint.swift", head + "\n" + file(joint, function: "statementsOfPage")))
  }
  return files
}

/// The blocks of a page that are compiled; says what is not.
func compiled(_ blocks: [Block], package: inout [Block]) -> [Block] {
  blocks.filter { block in
    switch block.info {
    case "swift": return true
    case "given":
      guard block.page.contains("/") else {
        complain(block, "a reader of \(block.page) is not given anything: show it, or do without")
        return false
      }
      return true
    case "swift package": package.append(block)
    case let info:
      if let reason = info.wholeMatch(of: #/swift no-compile: *(\S.*)/#) {
        print("SKIPPED: \(block.page):\(block.line) is not compiled: \(reason.1)")
      } else {
        complain(block, "```\(info) is none of: swift, swift package, swift no-compile: REASON")
      }
    }
    return false
  }
}

func paths(under folder: String) -> [String] {
  FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String }.sorted() ?? []
}

func run() throws {
  let root = URL(filePath: CommandLine.arguments[1])
  let folder = URL(filePath: CommandLine.arguments[2])
  let manifest = URL(filePath: CommandLine.arguments[3])
  let contracts = paths(under: "\(root.path())/design").map { "design/\($0)" }
  let articles = paths(under: "\(root.path())/Sources").map { "Sources/\($0)" }.filter {
    $0.contains(".docc/")
  }

  var written: Set<String> = []
  var package: [Block] = []
  var count = 0
  for page in ["README.md", "AGENTS.md"] + contracts + articles where page.hasSuffix(".md") {
    guard let text = try? String(contentsOf: root.appending(path: page), encoding: .utf8) else { continue }
    let blocks = compiled(blocks(of: page, text), package: &package)
    guard blocks.contains(where: { $0.info == "swift" }) else { continue }
    count += blocks.count { $0.info == "swift" }
    print("module \(module(of: page))")
    for (name, text) in files(of: blocks) {
      let path = "\(module(of: page))/\(name)"
      written.insert(path)
      try write(text, to: folder.appending(path: path))
    }
  }
  for old in paths(under: folder.path()) where old.hasSuffix(".swift") && !written.contains(old) {
    try FileManager.default.removeItem(at: folder.appending(path: old))
  }
  try? FileManager.default.removeItem(at: manifest)
  if !package.isEmpty {
    try write(manifestText(package, root: root.path()), to: manifest.appending(path: "Package.swift"))
    try write("\n", to: manifest.appending(path: "Sources/Reader/Reader.swift"))
  }
  print("\(count) Swift blocks of the pages to compile, \(package.count) for a manifest")
  if problems > 0 { exit(1) }
}

try run()
