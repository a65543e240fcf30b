import Foundation
import StoicJSON
import StoicSchema
import Testing

/// The ten models of the page "From Codable", as they are there.
@Suite("From Codable")
struct FromCodableTests {
  /// A value of one of the models, its type forgotten.
  fileprivate struct Model: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// What the encoder and the schema write of the value, and what each writes of what it reads of the other's.
    let written: @Sendable () throws -> (codable: JSON, schema: JSON, codableAgain: JSON, schemaAgain: JSON)

    init<Value: Codable & Sendable>(_ value: Value, _ schema: Schema<Value>) {
      testDescription = "\(Value.self)"
      written = {
        let (encoder, decoder) = (JSONEncoder(), JSONDecoder())
        (encoder.dateEncodingStrategy, decoder.dateDecodingStrategy) = (.iso8601, .iso8601)
        let data = try encoder.encode(value)
        let bytes = try schema.encode(value).serialized()
        return (
          try JSON(parsing: data), try JSON(parsing: bytes),
          try JSON(parsing: encoder.encode(decoder.decode(Value.self, from: Data(bytes)))),
          schema.encode(try schema.decode(data))
        )
      }
    }
  }

  @Test("The ten models read and write the same by Codable and by their schemas", arguments: models)
  fileprivate func bothWays(model: Model) throws {
    let (codable, schema, codableAgain, schemaAgain) = try model.written()
    #expect(codable == codableAgain)
    #expect(schema == schemaAgain)
    // A UUID is in upper case there and in lower case here.
    let lowercased = try [codable, schema].map { try JSON(parsing: $0.description.lowercased()) }
    #expect(lowercased[0] == lowercased[1])
  }

  @Test("A nullable member asks for its key, which Codable leaves out")
  func nullable() throws {
    let contact = Contact(name: "Ada", phone: nil, manager: nil)
    let data = try JSONEncoder().encode(contact)
    #expect(
      validationFailure(of: Contact.schema, in: String(decoding: data, as: UTF8.self))?.issues.map(\.code)
        == [.missing])
    let bytes = try Contact.schema.encode(contact).serialized()
    #expect(try JSONDecoder().decode(Contact.self, from: Data(bytes)).manager == nil)
  }

  fileprivate static let models: [Model] = [
    Model(Account(id: 1, owner: "Ada", isOpen: true), Account.schema),
    Model(Profile(avatarURL: "a", createdAt: "b"), Profile.schema),
    Model(Contact(name: "Ada", phone: nil, manager: "Bob"), Contact.schema),
    Model(Search(text: "x", limit: 3, tags: ["a"]), Search.schema),
    Model(Invoice(number: "7", lines: [.init(title: "x", cents: 5)], notes: ["a": "b"]), Invoice.schema),
    Model(Subscription(plan: .team, next: .other), Subscription.schema),
    Model(
      Payment(
        id: UUID(), amount: Decimal(sign: .plus, exponent: -2, significand: 1_999),
        paidAt: Date(timeIntervalSince1970: 1_772_357_400), receipt: URL(filePath: "/r")), Payment.schema),
    Model(Email(rawValue: "a@b.c"), Email.schema),
    Model(Method.card(CardPayment(last4: "4242")), Method.schema),
    Model(Method.bank(BankPayment(iban: "DE00")), Method.schema),
    Model(Comment(text: "a", replies: [Comment(text: "b", replies: [])]), Comment.schema),
  ]
}

private struct Account: Codable {
  let id: Int
  let owner: String
  let isOpen: Bool
}

extension Account {
  fileprivate static let schema: Schema<Account> = .object(
    Account.init, .field("id", \.id, .int), .field("owner", \.owner, .string),
    .field("isOpen", \.isOpen, .bool))
}

private struct Profile: Codable {
  let avatarURL: String
  let createdAt: String

  enum CodingKeys: String, CodingKey {
    case avatarURL = "avatar_url"
    case createdAt = "created_at"
  }
}

extension Profile {
  fileprivate static let schema: Schema<Profile> = .object(
    Profile.init, .field("avatar_url", \.avatarURL, .string), .field("created_at", \.createdAt, .string))
}

private struct Contact: Codable {
  let name: String
  let phone: String?
  let manager: String?
}

extension Contact {
  fileprivate static let schema: Schema<Contact> = .object(
    Contact.init, .field("name", \.name, .string), .optional("phone", \.phone, .string),
    .field("manager", \.manager, .nullable(.string)))
}

private struct Search: Codable {
  let text: String
  let limit: Int
  let tags: [String]

  init(text: String, limit: Int, tags: [String]) {
    (self.text, self.limit, self.tags) = (text, limit, tags)
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    text = try container.decode(String.self, forKey: .text)
    limit = try container.decodeIfPresent(Int.self, forKey: .limit) ?? 20
    tags = try container.decodeIfPresent([String].self, forKey: .tags) ?? []
  }
}

extension Search {
  fileprivate static let schema: Schema<Search> = .object(
    Search.init(text:limit:tags:), .field("text", \.text, .string),
    .field("limit", \.limit, .int, default: 20), .field("tags", \.tags, .array(.string), default: []))
}

private struct Invoice: Codable {
  struct Line: Codable {
    let title: String
    let cents: Int
  }

  let number: String
  let lines: [Line]
  let notes: [String: String]
}

extension Invoice.Line {
  fileprivate static let schema: Schema<Invoice.Line> = .object(
    Invoice.Line.init, .field("title", \.title, .string), .field("cents", \.cents, .int))
}

extension Invoice {
  fileprivate static let schema: Schema<Invoice> = .object(
    Invoice.init, .field("number", \.number, .string), .field("lines", \.lines, .array(Line.schema)),
    .field("notes", \.notes, .dictionary(.string)))
}

private enum Plan: String, Codable, CaseIterable, Sendable {
  case free
  case team
  case other
}

private struct Subscription: Codable {
  let plan: Plan
  let next: Plan
}

extension Subscription {
  fileprivate static let schema: Schema<Subscription> = .object(
    Subscription.init, .field("plan", \.plan, .enumeration),
    .field("next", \.next, .enumeration(unknownCase: .other)))
}

private struct Payment: Codable {
  let id: UUID
  let amount: Decimal
  let paidAt: Date
  let receipt: URL
}

extension Payment {
  fileprivate static let schema: Schema<Payment> = .object(
    Payment.init, .field("id", \.id, .uuid), .field("amount", \.amount, .decimal),
    .field("paidAt", \.paidAt, .date), .field("receipt", \.receipt, .url))
}

private struct Email: RawRepresentable, Codable, Sendable {
  let rawValue: String
}

extension Email {
  fileprivate static let schema: Schema<Email> = Schema.string.length(3...254)
    .map(
      expecting: "an address with an @", export: ["pattern": "@"],
      { $0.contains("@") ? Email(rawValue: $0) : nil }, back: { $0.rawValue })
}

private struct CardPayment: Codable, Sendable {
  let last4: String
}

private struct BankPayment: Codable, Sendable {
  let iban: String
}

private enum Method {
  case card(CardPayment)
  case bank(BankPayment)
}

extension Method: Codable {
  private enum Keys: CodingKey {
    case type
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Keys.self)
    switch try container.decode(String.self, forKey: .type) {
    case "card": self = .card(try CardPayment(from: decoder))
    case "bank": self = .bank(try BankPayment(from: decoder))
    default: throw DecodingError.dataCorruptedError(forKey: .type, in: container, debugDescription: "unknown")
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Keys.self)
    switch self {
    case .card(let card):
      try container.encode("card", forKey: .type)
      try card.encode(to: encoder)
    case .bank(let bank):
      try container.encode("bank", forKey: .type)
      try bank.encode(to: encoder)
    }
  }
}

extension Method {
  fileprivate static let schema: Schema<Method> = .discriminated(
    "type",
    [
      .variant("card", .object(CardPayment.init, .field("last4", \.last4, .string)), Method.card) {
        if case .card(let card) = $0 { card } else { nil }
      },
      .variant("bank", .object(BankPayment.init, .field("iban", \.iban, .string)), Method.bank) {
        if case .bank(let bank) = $0 { bank } else { nil }
      },
    ])
}

private struct Comment: Codable {
  let text: String
  let replies: [Comment]
}

extension Comment {
  fileprivate static let schema: Schema<Comment> = .object(
    Comment.init, .field("text", \.text, .string),
    .field("replies", \.replies, .array(.lazy(Comment.schema))))
}
