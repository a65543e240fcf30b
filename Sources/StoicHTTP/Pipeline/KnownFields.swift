/// Which of the fields that the client itself looks at are in a list, found in one pass.
struct KnownFields: OptionSet {
  let rawValue: UInt8

  static let accept = KnownFields(rawValue: 1)
  static let userAgent = KnownFields(rawValue: 2)
  static let contentType = KnownFields(rawValue: 4)
  static let severalContentTypes = KnownFields(rawValue: 8)
  static let host = KnownFields(rawValue: 16)
  static let idempotencyKey = KnownFields(rawValue: 32)
  static let range = KnownFields(rawValue: 64)

  init(rawValue: UInt8) { self.rawValue = rawValue }

  init(_ headers: HTTPHeaders) {
    self = []
    for field in headers {
      // Nearly every name is told by its length.
      switch field.name.utf8.count {
      case 4 where field.name.isSameFieldName(as: "Host"): insert(.host)
      case 5 where field.name.isSameFieldName(as: "Range"): insert(.range)
      case 6 where field.name.isSameFieldName(as: "Accept"): insert(.accept)
      case 10 where field.name.isSameFieldName(as: "User-Agent"): insert(.userAgent)
      case 12 where field.name.isSameFieldName(as: "Content-Type"):
        insert(contains(.contentType) ? .severalContentTypes : .contentType)
      case 15 where field.name.isSameFieldName(as: HTTPHeaders.idempotencyKey): insert(.idempotencyKey)
      default: break
      }
    }
  }
}
