import Stoic
import StoicJSON

/// What a list of users looks like: small objects with short strings, integers and a few fractions.
struct APIObjects: Shape {
  struct User: Codable {
    let id: Int
    let login: String
    let name: String
    let email: String
    let avatarURL: String
    let isAdmin: Bool
    let isVerified: Bool
    let followers: Int
    let following: Int
    let score: Double
    let bio: String
    let company: String?
    let tags: [String]
    let address: Address
    let createdAt: String
    let repositories: [Repository]
  }

  struct Address: Codable {
    let street: String
    let city: String
    let zip: String
    let latitude: Double
    let longitude: Double
  }

  struct Repository: Codable {
    let id: Int
    let name: String
    let stars: Int
    let isFork: Bool
    let language: String?
  }

  static let name = "api"

  let users: [User]

  static func generate(_ generator: inout SplitMix) -> APIObjects {
    APIObjects(users: (0..<250).map { user($0, &generator) })
  }

  private static func user(_ number: Int, _ generator: inout SplitMix) -> User {
    func word() -> String { Words.sentence(Words.latin, 1, &generator) }
    func integer(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &generator) }
    func hundredths(_ limit: Int) -> Double { Double(integer(limit * 100)) / 100 }
    let login = "\(word())\(number)"
    return User(
      id: 1_000_000 + number, login: login, name: "\(word()) \(word())", email: "\(login)@example.com",
      avatarURL: "https://images.example.com/u/\(integer(1 << 30))?size=64", isAdmin: integer(20) == 0,
      isVerified: integer(2) == 0, followers: integer(100_000), following: integer(1_000),
      score: hundredths(100),
      bio: Words.sentence(Words.latin, 12, &generator), company: integer(3) == 0 ? nil : word(),
      tags: (0..<integer(6)).map { _ in word() },
      address: Address(
        street: "\(integer(200)) \(word()) street", city: word(), zip: "\(10_000 + integer(90_000))",
        latitude: hundredths(90), longitude: hundredths(180)),
      createdAt: "2025-0\(1 + integer(9))-1\(integer(10))T0\(integer(10)):30:00Z",
      repositories: (0..<integer(4)).map { index in
        Repository(
          id: number * 10 + index, name: "\(word())-\(word())", stars: integer(5_000),
          isFork: integer(4) == 0,
          language: integer(5) == 0 ? nil : word())
      })
  }

  var json: JSON {
    ["users": JSON(users.map(\.json))]
  }
}

extension APIObjects.User {
  fileprivate var json: JSON {
    [
      "id": JSON(id), "login": JSON(login), "name": JSON(name), "email": JSON(email),
      "avatarURL": JSON(avatarURL), "isAdmin": JSON(isAdmin), "isVerified": JSON(isVerified),
      "followers": JSON(followers), "following": JSON(following), "score": JSON(score), "bio": JSON(bio),
      "company": company.map { JSON($0) } ?? .null, "tags": JSON(tags.map { JSON($0) }),
      "address": address.json, "createdAt": JSON(createdAt), "repositories": JSON(repositories.map(\.json)),
    ]
  }
}

extension APIObjects.Address {
  fileprivate var json: JSON {
    [
      "street": JSON(street), "city": JSON(city), "zip": JSON(zip), "latitude": JSON(latitude),
      "longitude": JSON(longitude),
    ]
  }
}

extension APIObjects.Repository {
  fileprivate var json: JSON {
    [
      "id": JSON(id), "name": JSON(name), "stars": JSON(stars), "isFork": JSON(isFork),
      "language": language.map { JSON($0) } ?? .null,
    ]
  }
}
