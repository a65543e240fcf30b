import StoicJSON

/// The error of parsing a text, or nil when it parses.
func parsingError(_ text: String) -> JSONError? {
  parsingError(Array(text.utf8))
}

/// The error of parsing bytes, or nil when they parse.
func parsingError(_ bytes: [UInt8], allowing relaxations: JSON.Relaxations = []) -> JSONError? {
  do {
    _ = try JSON(parsing: bytes, allowing: relaxations)
    return nil
  } catch {
    return error as? JSONError
  }
}

/// The error of writing a value, or nil when it can be written.
func writingError(_ value: JSON, _ options: JSON.WritingOptions = []) -> JSONWritingError? {
  do {
    _ = try value.serialized(options)
    return nil
  } catch {
    return error as? JSONWritingError
  }
}

/// The value as text, with these options.
func text(_ value: JSON, _ options: JSON.WritingOptions = []) throws -> String {
  String(decoding: try value.serialized(options), as: UTF8.self)
}
