import StoicJSON

/// One run of the fuzzer: the parser agrees with the reference, and what it reads survives being written.
///
/// The reference reads by recursion, so the fuzzer needs the ordinary stack of a main thread.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  let reference = Reference(bytes)
  do {
    let value = try JSON(parsing: bytes)
    guard let reference, reference.agrees(with: value) else {
      fatalError("accepted, and the reference does not agree")
    }
    checkRoundTrips(of: value, reference)
  } catch let error as JSONError {
    if reference != nil { fatalError("refused, and the reference accepts: \(error)") }
    if error.offset > bytes.count || error.line < 1 || error.column < 1 {
      fatalError("an impossible place: \(error)")
    }
    if let lenient = try? JSON(parsing: bytes, allowing: .duplicateKeys) {
      if error.reason != .duplicateKey { fatalError("duplicate keys are not what is wrong: \(error)") }
      checkRoundTrips(of: lenient, nil)
    }
  } catch {
    fatalError("another error than the parser's: \(error)")
  }
  return 0
}

private func checkRoundTrips(of value: JSON, _ reference: Reference?) {
  do {
    for options in [[], .pretty, .sortedKeys, [.pretty, .sortedKeys]] as [JSON.WritingOptions] {
      let text = try value.serialized(options)
      let again = try JSON(parsing: text)
      if again != value { fatalError("another value after writing") }
      if options == [], let reference, !reference.agrees(with: again) { fatalError("another text") }
      if try again.serialized(options) != text { fatalError("another text after reading") }
    }
    if let canonical = try? value.serialized(.canonical) {
      if try JSON(parsing: canonical).serialized(.canonical) != canonical {
        fatalError("canonical text changes when it is written again")
      }
    }
  } catch {
    fatalError("what was read cannot be written: \(error)")
  }
  if copy(of: value) != value { fatalError("another value when built of its parts") }
}

/// The same value, built; recursion goes no deeper than what can be read.
private func copy(of value: JSON) -> JSON {
  if let object = value.object { return JSON(object.map { (key: $0.key, value: copy(of: $0.value)) }) }
  if let array = value.array { return JSON(array.map(copy)) }
  if let string = value.string { return JSON(string) }
  if let double = value.double, checkNumber(value, double) { return value }
  if let integer = value.int { return JSON(integer) }
  return value.bool.map { JSON($0) } ?? value
}

/// Checks a double against the standard library's reader, and its text against a second reading.
private func checkNumber(_ value: JSON, _ double: Double) -> Bool {
  guard let text = value.numberText, Double(text)?.bitPattern == double.bitPattern else {
    fatalError("another double than the standard library's")
  }
  if (try? JSON(parsing: JSON(double).serialized()).double)?.bitPattern != double.bitPattern {
    fatalError("a double changes when it is written")
  }
  return true
}
