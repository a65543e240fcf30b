import Foundation
import Stoic
import StoicJSON
import StoicSchema

/// Typed decoding by a schema, against `JSONDecoder` on the same types.
///
/// - `schema.small`: a user of about a kilobyte, from bytes to the model; per second.
/// - `schema.small_issues`: the same with three wrong members, against ours on the valid one; the goal is a ratio of at
///   least 1 / 1.3.
/// - `schema.million_issues`: an array of a million wrong elements, to a failure that counts them all, against
///   `JSONDecoder` on a million right ones, since it stops at the first wrong one.
func schemaFigures() throws -> [Figure] {
  try smallFigures() + [manyFigure()]
}

private func smallFigures() throws -> [Figure] {
  var generator = SplitMix(seed: 42)
  let user = try oneKilobyte(APIObjects.generate(&generator).users)
  let bytes = try user.serialized()
  let wrong = try JSON(withThreeMistakes(user)).serialized()
  guard APIObjects.User.schema.decodeReporting(wrong).totalErrors == 3 else {
    throw Surprise(what: "a body with three wrong members does not have three issues")
  }
  let data = Data(bytes)
  let decoder = JSONDecoder()
  let samples = try race([
    Contender(name: "Stoic") { keep(try APIObjects.User.schema.decode(bytes)) },
    Contender(name: "JSONDecoder") { keep(try decoder.decode(APIObjects.User.self, from: data)) },
    Contender(name: "Stoic, three issues") { keep(APIObjects.User.schema.decodeReporting(wrong)) },
  ])
  return [
    Figure("schema.small", unit: "1/s", samples[0], against: "JSONDecoder", samples[1]),
    Figure("schema.small_issues", unit: "1/s", samples[2], against: "a valid body", samples[0]),
  ]
}

private func withThreeMistakes(_ user: JSON) -> [(key: String, value: JSON)] {
  (user.object.map(Array.init) ?? []).map { member in
    switch member.key {
    case "followers": (member.key, "many")
    case "isAdmin": (member.key, .null)
    case "bio": ("biography", member.value)
    default: member
    }
  }
}

/// The first user, with as many repositories of the others as make a kilobyte of text.
private func oneKilobyte(_ users: [APIObjects.User]) throws -> JSON {
  let repositories = users.flatMap(\.repositories)
  for count in repositories.indices {
    let others = JSON(repositories[..<count].map(APIObjects.Repository.schema.encode))
    let user = APIObjects.User.schema.encode(users[0]).merging(patch: ["repositories": others])
    if try user.serialized().count >= 1_000 { return user }
  }
  throw Surprise(what: "too few repositories for a kilobyte")
}

private func manyFigure() throws -> Figure {
  let count = 1_000_000
  let wrong = try JSON(repeatElement(JSON("x"), count: count)).serialized()
  let right = try Data(JSON(repeatElement(JSON(7), count: count)).serialized())
  let schema = Schema<[Int]>.array(.int)
  let decoder = JSONDecoder()
  let samples = try race(
    [
      Contender(name: "Stoic") {
        guard schema.decodeReporting(wrong).totalErrors == count else {
          throw Surprise(what: "not all issues were counted")
        }
      },
      Contender(name: "JSONDecoder") { keep(try decoder.decode([Int].self, from: right)) },
    ], rounds: 5)
  return Figure(
    "schema.million_issues", unit: "1/s", samples[0], against: "JSONDecoder, none of them wrong", samples[1])
}
