// Stands in until the schema module is merged.
/// Stand-in.
public struct ValidationFailure: Error, Sendable {}
