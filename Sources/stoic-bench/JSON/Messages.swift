import Stoic
import StoicJSON

/// What a chat looks like: texts in many scripts, with line breaks, quotes and backslashes.
struct Messages: Shape {
  struct Message: Codable {
    let author: String
    let text: String
  }

  static let name = "strings"

  let messages: [Message]

  static func generate(_ generator: inout SplitMix) -> Messages {
    let breaks = ["\n", "\t", " \"quoted\" ", " C:\\path\\to ", "\r\n"]
    return Messages(
      messages: (0..<600).map { _ in
        let parts = (0..<6).map { index in
          let isOther = Int.random(in: 0..<3, using: &generator) > 0
          let text = Words.sentence(isOther ? Words.other : Words.latin, 8, &generator)
          return index.isMultiple(of: 2) ? text + (breaks.randomElement(using: &generator) ?? "") : text
        }
        return Message(
          author: Words.sentence(Words.other, 2, &generator), text: parts.joined(separator: " "))
      })
  }

  var json: JSON {
    let messages = messages.map { message -> JSON in
      ["author": JSON(message.author), "text": JSON(message.text)]
    }
    return ["messages": JSON(messages)]
  }
}
