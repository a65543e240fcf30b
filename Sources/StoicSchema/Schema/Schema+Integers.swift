import StoicJSON

extension Schema where Value == Int {
  /// An integer that fits 64 bits, in any spelling: `100`, `100.0` and `1e2` are the same.
  public static var int: Schema { integer("64-bit integer") { $0.int } }
}

extension Schema where Value == Int8 {
  /// An integer in -128...127, in any spelling.
  public static var int8: Schema { integer("8-bit integer") { $0.int.flatMap(Int8.init(exactly:)) } }
}

extension Schema where Value == Int16 {
  /// An integer in -32,768...32,767, in any spelling.
  public static var int16: Schema { integer("16-bit integer") { $0.int.flatMap(Int16.init(exactly:)) } }
}

extension Schema where Value == Int32 {
  /// An integer that fits 32 bits, in any spelling.
  public static var int32: Schema { integer("32-bit integer") { $0.int.flatMap(Int32.init(exactly:)) } }
}

extension Schema where Value == Int64 {
  /// An integer that fits 64 bits, in any spelling.
  public static var int64: Schema { integer("64-bit integer") { $0.int.map(Int64.init) } }
}

extension Schema where Value == UInt {
  /// An integer from 0 that fits 64 bits, in any spelling.
  public static var uint: Schema { integer("unsigned 64-bit integer") { $0.unsigned.map(UInt.init) } }
}

extension Schema where Value == UInt8 {
  /// An integer in 0...255, in any spelling.
  public static var uint8: Schema {
    integer("unsigned 8-bit integer") { $0.int.flatMap(UInt8.init(exactly:)) }
  }
}

extension Schema where Value == UInt16 {
  /// An integer in 0...65,535, in any spelling.
  public static var uint16: Schema {
    integer("unsigned 16-bit integer") { $0.int.flatMap(UInt16.init(exactly:)) }
  }
}

extension Schema where Value == UInt32 {
  /// An integer from 0 that fits 32 bits, in any spelling.
  public static var uint32: Schema {
    integer("unsigned 32-bit integer") { $0.int.flatMap(UInt32.init(exactly:)) }
  }
}

extension Schema where Value == UInt64 {
  /// An integer from 0 that fits 64 bits, in any spelling.
  public static var uint64: Schema { integer("unsigned 64-bit integer") { $0.unsigned } }
}

extension Schema where Value: FixedWidthInteger & Sendable {
  fileprivate static func integer(_ holder: String, _ exactly: @escaping @Sendable (JSON) -> Value?) -> Schema
  {
    Schema(
      expected: "integer",
      export: ["type": "integer", "minimum": JSON(Value.min), "maximum": JSON(Value.max)],
      read: { json, context, place in
        guard let value = exactly(json) else {
          context.recordNumberMismatch(expected: "integer", holder: holder, found: json)
          return false
        }
        place.put(value)
        return true
      },
      write: { JSON($0) })
  }
}

extension JSON {
  /// The number as an integer that is not negative, or nil when it is none or does not fit.
  fileprivate var unsigned: UInt64? {
    if let int { return UInt64(exactly: int) }
    guard let (isNegative, digits, exponent) = decimalDigits, !isNegative, exponent >= 0,
      digits.count + exponent <= 20
    else { return nil }
    let zeros = repeatElement(UInt8(ascii: "0"), count: exponent)
    return UInt64(String(decoding: digits + zeros, as: UTF8.self))
  }
}
