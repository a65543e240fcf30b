import Stoic
import Testing

@Suite("OpenTelemetry's names")
struct OpenTelemetryNameTests {
  @Test(
    "A fact has the name of the semantic conventions where they have one",
    arguments: [
      ("method", "http.request.method"), ("host", "server.address"), ("path", "url.path"),
      ("query", "url.query"), ("status", "http.response.status_code"), ("error", "error.type"),
      ("reason", "error.type"),
    ])
  func named(key: String, name: String) {
    #expect(Event.Field(key, "value").openTelemetryName == name)
  }

  @Test(
    "A fact that only resembles an attribute has no name",
    arguments: [
      "attempt", "attempts", "outcome", "duration", "elapsed", "delay", "asked", "errors", "to_host",
      "to_path",
      "", "Method", "http.request.method",
    ])
  func unnamed(key: String) {
    #expect(Event.Field(key, "value").openTelemetryName == nil)
  }
}
