import Foundation
import StoicJSON
import StoicSchema
import Testing

/// What the schema stage of CI shows to an independent validator, written to the file that
/// `STOIC_SCHEMA_CORPUS` names.
@Suite("Corpus of documents")
struct CorpusTests {
  private static let acceptAnything: Set = ["json", "fallback"]
  private static let acceptNothing: Set = [
    "empty range", "double infinite", "no length", "no alternative", "no case",
  ]

  @Test("Every kind of schema accepts some documents and refuses others, and shows them to a validator")
  func corpus() throws {
    var lines: [String] = []
    for (index, kind) in Kind.all.enumerated() {
      var source = Documents(seed: UInt64(index))
      let documents = try source.documents(for: kind, count: 400)
      let verdicts = documents.map(kind.accepts)
      #expect(verdicts.contains(true) != Self.acceptNothing.contains(kind.name), "\(kind.name)")
      #expect(verdicts.contains(false) != Self.acceptAnything.contains(kind.name), "\(kind.name)")
      for seed in kind.seeds {
        #expect(try kind.accepts(JSON(parsing: seed)), "\(kind.name): \(seed)")
      }
      let shown = zip(documents, verdicts).map { document, verdict in
        ["text": JSON(document.description), "accepted": JSON(verdict)] as JSON
      }
      let line: JSON = ["name": JSON(kind.name), "schema": kind.export, "documents": JSON(shown)]
      lines.append(line.description)
    }
    guard let path = ProcessInfo.processInfo.environment["STOIC_SCHEMA_CORPUS"] else { return }
    try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: URL(filePath: path))
  }
}
