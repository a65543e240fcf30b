import Foundation
import Stoic
import StoicJSON

/// Reading and writing of four generated documents, against Foundation.
func jsonFigures() throws -> [Figure] {
  try figures(of: APIObjects.self) + figures(of: Coordinates.self) + figures(of: Messages.self)
    + figures(of: DeepMix.self)
}

private func figures<Model: Shape>(of model: Model.Type) throws -> [Figure] {
  var generator = SplitMix(seed: 42)
  let model = Model.generate(&generator)
  let built = model.json
  let bytes = try built.serialized()
  let data = Data(bytes)
  let parsed = try JSON(parsing: bytes)
  let megabytes = Double(bytes.count) / 1e6

  func figure(
    _ kind: String, _ ours: @escaping () throws -> Void, against other: String,
    _ theirs: @escaping () throws -> Void
  ) throws -> Figure {
    let samples = try race([Contender(name: "Stoic", body: ours), Contender(name: other, body: theirs)])
    return Figure(
      "json.\(Model.name).\(kind)", unit: "MB/s", samples[0].map { $0 * megabytes }, against: other,
      samples[1].map { $0 * megabytes })
  }

  let decoder = JSONDecoder()
  let encoder = JSONEncoder()
  return try [
    // Validated and navigable, against one typed decoding.
    figure(
      "parse", { keep(try JSON(parsing: bytes)) }, against: "JSONDecoder",
      { keep(try decoder.decode(Model.self, from: data)) }),
    // Read and then visited to the last key, string and number.
    figure(
      "tree", { keep(visit(try JSON(parsing: bytes))) }, against: "JSONSerialization",
      { keep(try JSONSerialization.jsonObject(with: data)) }),
    // A value that was built of Swift's strings and numbers.
    figure(
      "write", { keep(try built.serialized()) }, against: "JSONEncoder",
      { keep(try encoder.encode(model)) }),
    // A value that was read.
    figure(
      "rewrite", { keep(try parsed.serialized()) }, against: "JSONEncoder",
      { keep(try encoder.encode(model)) }),
  ]
}

/// Makes a Swift value of everything in a value, and adds up something of each.
private func visit(_ value: JSON) -> Int {
  if let string = value.string { return string.utf8.count }
  if let double = value.double { return Int(double) }
  if let object = value.object {
    return object.reduce(0) { $0 &+ $1.key.utf8.count &+ visit($1.value) }
  }
  if let array = value.array { return array.reduce(0) { $0 &+ visit($1) } }
  return value.bool == true ? 1 : 0
}
