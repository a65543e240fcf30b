import Testing
import stoic_demo

@Suite("What the demo shows of an outage")
struct OutageShowTests {
  @Test(
    "The bound follows from clients, floor, ratio and rate",
    arguments: [
      // One of the demo's clients; the standard policy at five calls a second; at one call in five seconds, where the
      // floor is above what a client asks for; and a floor of ten a second
      // without a ratio.
      (0.2, 1, 0.2, 25, 1.4), (5, 10, 0.2, 10, 1.4), (0.2, 10, 0.2, 10, 6.2), (5, 100, 0, 10, 3),
      (1, 0, 0, 10, 1),
    ])
  func bound(rate: Double, floor: Int, ratio: Double, window: Int, expected: Double) {
    var scenario = OutageScenario()
    (scenario.rate, scenario.floor, scenario.ratio, scenario.window) = (rate, floor, ratio, window)
    for clients in [1, 1_000] {
      scenario.clients = clients
      let bound = AmplificationBound(scenario)
      #expect(abs(bound.factor - expected) < 1e-9)
      #expect(abs(bound.load - expected * rate * Double(clients)) < 1e-9)
    }
  }

  @Test("The picture has a curve for each run with a point for each second, and nothing from elsewhere")
  func picture() throws {
    let scenario = OutageTests.small(clients: 20, rate: 0.2, floor: 1, ratio: 0.2, window: 25)
    let protected = try OutagePlay(scenario, .budgetAndBreaker).run(seed: 1)
    let unprotected = try OutagePlay(scenario, .nothing).run(seed: 1)
    let svg = OutagePicture(scenario, protected: protected, unprotected: unprotected).svg
    let curves = svg.split(separator: "\n").filter { $0.hasPrefix("<polyline") }
    #expect(curves.count == 2)
    for curve in curves {
      let list = try #require(curve.split(separator: "points=\"").last).prefix { $0 != "\"" }
      let points = list.split(separator: " ")
      #expect(points.count == scenario.length)
      for point in points {
        let place = point.split(separator: ",").compactMap { Double($0) }
        #expect(place.count == 2 && (70...936).contains(place[0]) && (104...484).contains(place[1]))
      }
    }
    #expect(svg.split(separator: "http").count == 2)
    for word in ["<script", "href", "url(", "nan"] { #expect(!svg.contains(word)) }
    #expect(svg.hasPrefix("<svg ") && svg.hasSuffix("</svg>\n"))
  }

  @Test(
    "The command line is read, and what makes no sense is misuse",
    arguments: [
      ([], Invocation.scenarios), (["outage"], .outage(svg: nil)),
      (["outage", "--svg", "a b.svg"], .outage(svg: "a b.svg")), (["outage", "--help"], .help),
      (["outage", "--svg"], .misuse("--svg takes one file")),
      (["outage", "--svg", ""], .misuse("--svg takes one file")),
      (["outage", "--svg", "a", "b"], .misuse("--svg takes one file")),
      (["outage", "--png", "a"], .misuse("outage takes --svg FILE and nothing else")),
      (["--svg", "a"], .misuse("unknown option")), (["a", "outage"], .misuse("at most one URL is expected")),
    ])
  func commandLine(arguments: [String], expected: Invocation) {
    #expect(Invocation(arguments) == expected)
  }
}
