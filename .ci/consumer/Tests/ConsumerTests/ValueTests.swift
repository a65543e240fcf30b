import Foundation
import Promised
import StoicHTTP
import Testing

@Suite("A user's values")
struct ValueTests {
  @Test("A value goes through its schema and back")
  func roundTrip() throws {
    let json: JSON = ["id": 1, "name": "Ada", "tags": ["a", "b"]]
    let users = try decodes(value: json, bytes: json.serialized())
    #expect(users.count == 2 && users[0] == users[1])
    #expect(User.schema.encode(users[0]) == json)
  }

  @Test("Parsed JSON is read by key and index, and a fault is pointed at")
  func json() throws {
    #expect(try JSON(parsing: #"{"users": [{"name": "Ada"}]}"#)["users"]?[0]?["name"]?.string == "Ada")
    let error = #expect(throws: JSONError.self) { try JSON(parsing: "[1,\n}") }
    #expect(error?.line == 2 && error?.column == 1)
  }

  @Test("Every builder makes a request")
  func requests() throws {
    let url = try #require(URL(string: "https://other.example.com/q"))
    let requests = buildsRequests(url: url, someJSON: [1], data: Data("x".utf8))
    #expect(requests.filter { $0.headers["Content-Type"] == "application/json" }.count == 4)
    #expect(requests.last?.headers["X-Tag"] == "v")
    #expect(requests.map(\.method.name).filter { $0 == "GET" }.count == 8)
  }
}
