import Foundation
import StoicHTTP

package func readsJSON(bytes: [UInt8], data: Data, text: String) throws -> Int {
  let value = try JSON(parsing: bytes)
  use(try JSON(parsing: data), try JSON(parsing: text))
  use(
    value["users"]?[0]?["name"]?.string, value.int, value.double, value.bool, value.isNull, value.array,
    value.object)
  let json: JSON = ["id": 1, "tags": ["a", "b"], "none": .null]
  use(try json.serialized(), try value.serialized(.sortedKeys), try value.serialized(.pretty))
  let written: [UInt8] = try json.serialized()
  return written.count
}

package func pointsAtTheFault(_ error: JSONError) -> String {
  let (offset, line, column): (Int, Int, Int) = (error.offset, error.line, error.column)
  return "\(offset) \(line) \(column) \(error.pointer) \(error.reason)"
}

package func decodes(value: JSON, bytes: [UInt8]) throws -> [User] {
  let report = User.schema.decodeReporting(value)
  use(report.value, report.errors, report.warnings, report.repairs)
  return [try User.schema.decode(value), try User.schema.decode(bytes)]
}

package func describes(_ failure: ValidationFailure, _ user: User) -> [JSON] {
  let issue = failure.issues[0]
  use(issue.path.description == "$.users[3].name", issue.code, issue.severity, issue.message)
  let encoded: JSON = User.schema.encode(user)
  let described: JSON = User.schema.jsonSchema
  return [encoded, described]
}
