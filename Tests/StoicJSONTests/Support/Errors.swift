import StoicJSON

/// The error of parsing a text, or nil when it parses.
func parsingError(_ text: String) -> JSONError? {
  parsingError(Array(text.utf8))
}

/// The error of parsing bytes, or nil when they parse.
func parsingError(_ bytes: [UInt8]) -> JSONError? {
  do {
    _ = try JSON(parsing: bytes)
    return nil
  } catch {
    return error
  }
}

/// The error of writing a value, or nil when it can be written.
func writingError(_ value: JSON) -> JSONWritingError? {
  do {
    _ = try value.serialized()
    return nil
  } catch {
    return error
  }
}

/// The value as text, with these options.
func text(_ value: JSON, _ options: JSON.WritingOptions = []) throws -> String {
  String(decoding: try value.serialized(options), as: UTF8.self)
}
