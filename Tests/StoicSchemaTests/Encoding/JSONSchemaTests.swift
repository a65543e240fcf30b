import StoicJSON
import StoicSchema
import Testing

@Suite("Export to JSON Schema")
struct JSONSchemaTests {
  private func export<Value>(_ schema: Schema<Value>) -> String {
    let members = schema.jsonSchema.object?.filter { $0.key != "$schema" } ?? []
    // The range of `Int` is said of each; it is tested by itself.
    return JSON(members).description.replacing(
      #","minimum":-9223372036854775808,"maximum":9223372036854775807"#, with: "")
  }

  @Test("A document names its dialect first")
  func dialect() {
    #expect(Schema.int.jsonSchema.object?.first?.key == "$schema")
    #expect(Schema.int.jsonSchema["$schema"] == "https://json-schema.org/draft/2020-12/schema")
  }

  @Test("Every kind of schema is described")
  func kinds() {
    #expect(export(.int) == #"{"type":"integer"}"#)
    #expect(export(.double) == #"{"type":"number"}"#)
    #expect(export(.string) == #"{"type":"string"}"#)
    #expect(export(.bool) == #"{"type":"boolean"}"#)
    #expect(export(.json) == "{}")
    #expect(export(.array(.int)) == #"{"type":"array","items":{"type":"integer"}}"#)
    #expect(export(.dictionary(.int)) == #"{"type":"object","additionalProperties":{"type":"integer"}}"#)
    #expect(export(Schema<Status>.enumeration) == #"{"type":"string","enum":["new","paid"]}"#)
  }

  @Test("What may be null says so once")
  func nullable() {
    #expect(export(.nullable(.int)) == #"{"type":["integer","null"]}"#)
    #expect(export(.optional(.int)) == #"{"type":["integer","null"]}"#)
    #expect(export(.nullable(.nullable(.int))) == #"{"type":["integer","null"]}"#)
    #expect(export(.nullable(.json)) == "{}")
    #expect(export(.nullable(.array(.int))) == #"{"type":["array","null"],"items":{"type":"integer"}}"#)
    #expect(
      export(Schema<Status?>.nullable(.enumeration))
        == #"{"type":["string","null"],"enum":["new","paid",null]}"#)
  }

  @Test("An object lists its properties in order, and requires those that are not optional")
  func object() {
    #expect(
      export(User.schema)
        == #"{"type":"object","properties":{"id":{"type":"integer"},"name":{"type":"string"},"#
        + #""tags":{"type":"array","items":{"type":"string"}},"nick":{"type":["string","null"]}},"#
        + #""required":["id","name","tags"]}"#)
    struct Loose {
      let x: Int?
    }
    let loose: Schema<Loose> = .object(Loose.init, .optional("x", \.x, .int))
    #expect(export(loose) == #"{"type":"object","properties":{"x":{"type":["integer","null"]}}}"#)
  }
}
