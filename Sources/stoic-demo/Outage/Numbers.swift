import Foundation

extension Int {
  /// With a comma between thousands.
  var grouped: String {
    let digits = Array(String(magnitude))
    let groups = digits.indices.map { index in
      index > 0 && (digits.count - index) % 3 == 0 ? ",\(digits[index])" : "\(digits[index])"
    }
    return (self < 0 ? "-" : "") + groups.joined()
  }
}

extension Double {
  /// With two digits after the point.
  var twoDigits: String { String(format: "%.2f", self) }

  /// A share as whole hundredths.
  var percent: String { String(format: "%.0f %%", self * 100) }

  /// A place in a picture, to a tenth of a point.
  var place: String { String(format: "%.1f", self) }
}
