import Foundation

let arguments = CommandLine.arguments.dropFirst()
#if os(Linux)
if arguments.elementsEqual([ServerProcess.argument]) {
  try ServerProcess.serve()
  exit(0)
}
#endif
let names = arguments.filter { !$0.hasPrefix("--") }
let options = arguments.filter { $0.hasPrefix("--") }

guard names.count == 1, let name = names.first, let group = Group(rawValue: name),
  options.allSatisfy({ $0 == "--json" })
else {
  let groups = Group.allCases.map(\.rawValue).joined(separator: " | ")
  FileHandle.standardError.write(Data("usage: stoic-bench \(groups) [--json]\n".utf8))
  exit(64)
}

do {
  let figures = try group.figures()
  print(try options.isEmpty ? table(of: figures) : jsonText(of: figures))
} catch {
  FileHandle.standardError.write(Data("stoic-bench: \(error)\n".utf8))
  exit(1)
}
