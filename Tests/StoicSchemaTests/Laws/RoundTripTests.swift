import Foundation
import Stoic
import StoicJSON
import StoicSchema
import Testing

/// A value of some type that can be drawn at random, with the schema that it is to survive.
struct Sample: Sendable, CustomTestStringConvertible {
  let testDescription: String
  /// Draws a value and says whether it comes back, as a value, from a text, and with a text that stays the
  /// same.
  let survives: @Sendable (inout SplitMix) throws -> Bool

  init<Value: Equatable & SendableMetatype>(
    _ name: String, _ schema: Schema<Value>, _ draw: @escaping @Sendable (inout SplitMix) -> Value
  ) {
    testDescription = name
    survives = { generator in
      let value = draw(&generator)
      let json = schema.encode(value)
      let text = try json.serialized()
      let report = schema.decodeReporting(text)
      let again = try schema.decode(json)
      let rewritten = try schema.encode(again).serialized()
      return report.value == value && report.issues.isEmpty && again == value && rewritten == text
    }
  }
}

@Suite("Laws")
struct RoundTripTests {
  @Test("What is encoded decodes to the same value, for twenty types", arguments: Sample.all)
  func roundTrip(sample: Sample) throws {
    var generator = SplitMix(seed: 7)
    for _ in 0..<300 {
      #expect(try sample.survives(&generator))
    }
  }

  @Test("The date reader accepts what its pattern accepts, which is what is exported")
  func dates() throws {
    var generator = SplitMix(seed: 3)
    let exported = try #require(Schema.date.jsonSchema["pattern"]?.string)
    let pattern = try Pattern(String(exported.dropFirst("^(?:".count).dropLast(")$".count)))
    let digits = Array("0123456789")
    for _ in 0..<3_000 {
      let year = Int.random(in: 0...9_999, using: &generator)
      let seconds = Int.random(in: -62_000_000_000...250_000_000_000, using: &generator)
      let date = Date(timeIntervalSince1970: Double(seconds))
      var text = Array(Schema.date.encode(date).string ?? "")
      if year % 3 == 0 { text = Array("\(year % 2 == 0 ? "2000" : "1900")-02-29T23:59:60Z") }
      for _ in 0..<Int.random(in: 0...2, using: &generator) {
        let place = text.indices.randomElement(using: &generator) ?? 0
        text[place] = year % 5 == 0 ? "." : digits.randomElement(using: &generator) ?? "0"
      }
      let isDate = value(of: .date, in: "\"\(String(text))\"") != nil
      #expect(pattern.matches(String(text)) == isDate, "\(String(text))")
    }
  }
}

extension Sample {
  static let all: [Sample] = scalars + models

  private static func text(_ generator: inout SplitMix) -> String {
    let scalars = Array("ab\"\\/\n\t\u{0}é😀\u{301}\u{2028}1. ".unicodeScalars)
    let count = Int.random(in: 0...6, using: &generator)
    var text = String.UnicodeScalarView()
    for _ in 0..<count { text.append(scalars.randomElement(using: &generator) ?? "a") }
    return String(text)
  }

  private static func double(_ generator: inout SplitMix) -> Double {
    let value = Double(bitPattern: generator.next())
    return value.isFinite ? value : Double(Int64(truncatingIfNeeded: generator.next()))
  }

  private static func list<Value>(
    _ generator: inout SplitMix, _ draw: (inout SplitMix) -> Value
  ) -> [Value] {
    (0..<Int.random(in: 0...3, using: &generator)).map { _ in draw(&generator) }
  }

  private static let scalars: [Sample] = [
    Sample("Int", .int) { Int(truncatingIfNeeded: $0.next()) },
    Sample("UInt64", .uint64) { $0.next() },
    Sample("Int8", .int8) { Int8(truncatingIfNeeded: $0.next()) },
    Sample("UInt16", .uint16) { UInt16(truncatingIfNeeded: $0.next()) },
    Sample("Double", .double, double),
    Sample("Decimal", .decimal) { generator in
      Decimal(
        sign: Bool.random(using: &generator) ? .minus : .plus,
        exponent: Int.random(in: -128...127, using: &generator),
        significand: Decimal(generator.next()) * Decimal(generator.next() >> 1))
    },
    Sample("Float", .float) { generator in
      let value = Float(bitPattern: UInt32(truncatingIfNeeded: generator.next()))
      return value.isFinite ? value : 0
    },
    Sample("String", .string, text),
    Sample("Bool", .bool) { Bool.random(using: &$0) },
    Sample("Date", .date) { generator in
      let milliseconds = Int.random(in: -60_000_000_000_000...200_000_000_000_000, using: &generator)
      return Date(timeIntervalSinceReferenceDate: Double(milliseconds) / 1_000)
    },
    Sample("UUID", .uuid) { generator in
      let bytes = (0..<16).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
      return bytes.withUnsafeBytes { UUID(uuid: $0.load(as: uuid_t.self)) }
    },
    Sample("URL", .url) { generator in
      URL(string: "https://example.com/\(generator.next())?q=\(generator.next())#f") ?? URL(filePath: "/")
    },
    Sample("[Int?]", Schema<[Int?]>.array(.nullable(.int))) { generator in
      list(&generator) { Bool.random(using: &$0) ? Int(truncatingIfNeeded: $0.next()) : nil }
    },
    Sample("[String: Double]", Schema<[String: Double]>.dictionary(.double)) { generator in
      let pairs = list(&generator) { (text(&$0), double(&$0)) }
      return Dictionary(pairs) { first, _ in first }
    },
    Sample("Status", Schema<Status>.enumeration) { $0.next() % 2 == 0 ? .new : .paid },
  ]

  private static let models: [Sample] = [
    Sample("User", User.schema) { generator in
      User(
        id: Int(truncatingIfNeeded: generator.next()), name: text(&generator), tags: list(&generator, text),
        nick: Bool.random(using: &generator) ? text(&generator) : nil)
    },
    Sample("Order", Order.schema) { generator in
      Order(items: list(&generator) { Item(price: Int(truncatingIfNeeded: $0.next())) })
    },
    Sample("Shape", Shape.schema) { shape(&$0, 3) },
    Sample("Loose", Loose.schema) { loose(&$0, 3) },
    Sample("Folder", Folder.schema) { folder(&$0, 3) },
    Sample("Settings", RepairTests.Settings.schema) { generator in
      RepairTests.Settings(size: Int(truncatingIfNeeded: generator.next()), tags: list(&generator, text))
    },
    Sample("Profile", RepairTests.Profile.schema) { generator in
      let patches: [Patch<String>] = [.keep, .clear, .set(text(&generator))]
      return RepairTests.Profile(
        name: patches.randomElement(using: &generator) ?? .keep,
        age: generator.next() % 2 == 0 ? .keep : .set(7))
    },
    Sample("Duration", Schema.int.map({ Duration.seconds($0) }, back: { Int($0.components.seconds) })) {
      .seconds(Int32(truncatingIfNeeded: $0.next()))
    },
  ]

  private static func shape(_ generator: inout SplitMix, _ depth: Int) -> Shape {
    switch Int.random(in: 0...(depth > 0 ? 2 : 1), using: &generator) {
    case 0: .circle(.init(radius: double(&generator)))
    case 1: .square(.init(side: Int(truncatingIfNeeded: generator.next())))
    default: .many(list(&generator) { shape(&$0, depth - 1) })
    }
  }

  private static func loose(_ generator: inout SplitMix, _ depth: Int) -> Loose {
    switch Int.random(in: 0...(depth > 0 ? 3 : 2), using: &generator) {
    case 0: .number(Int(truncatingIfNeeded: generator.next()))
    case 1: .text(text(&generator))
    case 2: .note(Note(id: 1, note: Bool.random(using: &generator) ? text(&generator) : nil))
    default: .list(list(&generator) { loose(&$0, depth - 1) })
    }
  }

  private static func folder(_ generator: inout SplitMix, _ depth: Int) -> Folder {
    Folder(name: text(&generator), folders: depth == 0 ? [] : list(&generator) { folder(&$0, depth - 1) })
  }
}
