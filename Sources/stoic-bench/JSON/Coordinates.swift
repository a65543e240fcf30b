import Stoic
import StoicJSON

/// What a map looks like: pairs of doubles with all of their digits.
struct Coordinates: Shape {
  static let name = "numbers"

  let type: String
  let rings: [[[Double]]]

  static func generate(_ generator: inout SplitMix) -> Coordinates {
    Coordinates(
      type: "MultiPolygon",
      rings: (0..<20).map { _ in
        (0..<320).map { _ in
          [
            Double.random(in: -180...180, using: &generator), Double.random(in: -90...90, using: &generator),
          ]
        }
      })
  }

  var json: JSON {
    let rings = rings.map { ring in
      JSON(ring.map { point in JSON(point.map { JSON($0) }) })
    }
    return ["type": JSON(type), "rings": JSON(rings)]
  }
}
