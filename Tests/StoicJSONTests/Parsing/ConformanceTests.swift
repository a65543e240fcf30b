import Foundation
import StoicJSON
import Testing

/// The JSON Parsing Test Suite (`y_` must be accepted, `n_` refused, `i_` is up to the parser), which is no
/// part of this package: the environment variable `STOIC_JSON_SUITE` names its `test_parsing` folder.
@Suite("The JSON Parsing Test Suite")
struct ConformanceTests {
  private static let folder: String? = {
    if let folder = ProcessInfo.processInfo.environment["STOIC_JSON_SUITE"], !folder.isEmpty { return folder }
    print("STOIC_JSON_SUITE is not set: the JSON Parsing Test Suite is not run.")
    return nil
  }()

  private static func files(_ prefix: String) throws -> [(name: String, bytes: [UInt8])] {
    guard let folder else { return [] }
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    return try names.filter { $0.hasPrefix(prefix) }.map { name in
      (name, try Array(Data(contentsOf: URL(filePath: folder).appending(path: name))))
    }
  }

  @Test("Every y_ file is accepted, the two with a duplicate key only on request")
  func accepted() throws {
    let files = try Self.files("y_")
    for file in files {
      #expect(throws: Never.self, "\(file.name)") { try JSON(parsing: file.bytes, allowing: .duplicateKeys) }
      let expected = file.name.hasPrefix("y_object_duplicated_key") ? JSONError.Reason.duplicateKey : nil
      #expect(parsingError(file.bytes)?.reason == expected, "\(file.name)")
    }
    #expect(files.isEmpty || files.count == 95)
  }

  @Test("Every n_ file is refused")
  func refused() throws {
    let files = try Self.files("n_")
    for file in files {
      #expect(parsingError(file.bytes) != nil, "\(file.name)")
    }
    #expect(files.isEmpty || files.count == 188)
  }

  @Test("Every i_ file does what the table says")
  func undefined() throws {
    let files = try Self.files("i_")
    for file in files {
      let expected = try #require(Self.undefined["\(file.name.dropFirst(2).dropLast(5))"], "\(file.name)")
      #expect(parsingError(file.bytes)?.reason == expected, "\(file.name)")
    }
    #expect(files.isEmpty || files.count == Self.undefined.count)
  }

  /// The reason for which a file is refused; nil when it is accepted.
  private static let undefined: [String: JSONError.Reason?] = [
    "number_double_huge_neg_exp": nil,
    "number_huge_exp": nil,
    "number_neg_int_huge_exp": nil,
    "number_pos_double_huge_exp": nil,
    "number_real_neg_overflow": nil,
    "number_real_pos_overflow": nil,
    "number_real_underflow": nil,
    "number_too_big_neg_int": nil,
    "number_too_big_pos_int": nil,
    "number_very_big_negative_int": nil,
    "object_key_lone_2nd_surrogate": .loneSurrogate,
    "string_1st_surrogate_but_2nd_missing": .loneSurrogate,
    "string_1st_valid_surrogate_2nd_invalid": .loneSurrogate,
    "string_UTF-16LE_with_BOM": .unsupportedEncoding,
    "string_UTF-8_invalid_sequence": .invalidUTF8,
    "string_UTF8_surrogate_U+D800": .invalidUTF8,
    "string_incomplete_surrogate_and_escape_valid": .loneSurrogate,
    "string_incomplete_surrogate_pair": .loneSurrogate,
    "string_incomplete_surrogates_escape_valid": .loneSurrogate,
    "string_invalid_lonely_surrogate": .loneSurrogate,
    "string_invalid_surrogate": .loneSurrogate,
    "string_invalid_utf-8": .invalidUTF8,
    "string_inverted_surrogates_U+1D11E": .loneSurrogate,
    "string_iso_latin_1": .invalidUTF8,
    "string_lone_second_surrogate": .loneSurrogate,
    "string_lone_utf8_continuation_byte": .invalidUTF8,
    "string_not_in_unicode_range": .invalidUTF8,
    "string_overlong_sequence_2_bytes": .invalidUTF8,
    "string_overlong_sequence_6_bytes": .invalidUTF8,
    "string_overlong_sequence_6_bytes_null": .invalidUTF8,
    "string_truncated-utf-8": .invalidUTF8,
    "string_utf16BE_no_BOM": .unsupportedEncoding,
    "string_utf16LE_no_BOM": .unsupportedEncoding,
    "structure_500_nested_arrays": nil,
    "structure_UTF-8_BOM_empty_object": nil,
  ]
}
