import Stoic
import StoicJSON

/// A kind of document, as a Swift model that is generated, and as JSON.
protocol Shape: Codable {
  static var name: String { get }

  /// Makes about a quarter of a megabyte of text.
  static func generate(_ generator: inout SplitMix) -> Self

  /// The model as a value that is built, not read.
  var json: JSON { get }
}

/// Words for names and texts.
enum Words {
  static let latin = [
    "amber", "basalt", "cedar", "delta", "ember", "fjord", "grove", "harbor", "inlet", "juniper", "kelp",
    "lagoon", "meadow", "nectar", "orchard", "prairie", "quarry", "ridge", "savanna", "tundra",
  ]
  static let other = [
    "привет", "облако", "река", "данные", "こんにちは", "世界", "東京", "数据", "网络", "안녕", "서울", "مرحبا", "שלום",
    "Ελλάδα", "ελιά", "naïve", "größe", "😀", "🚀🌍", "हिन्दी",
  ]

  static func sentence(_ words: [String], _ count: Int, _ generator: inout SplitMix) -> String {
    (0..<count).map { _ in words[Int.random(in: 0..<words.count, using: &generator)] }.joined(separator: " ")
  }
}
