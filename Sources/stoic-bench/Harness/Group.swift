/// What can be measured in one run; each group has a folder of its own.
enum Group: String, CaseIterable {
  case core
  case http
  case json
  case schema
  case simulation

  /// Runs the group.
  func figures() throws -> [Figure] {
    switch self {
    case .core: try coreFigures()
    case .http: try httpFigures()
    case .json: try jsonFigures()
    case .schema: try schemaFigures()
    case .simulation: try simulationFigures()
    }
  }
}
