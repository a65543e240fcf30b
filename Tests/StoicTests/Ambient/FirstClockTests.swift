import Stoic
import StoicTesting
import Testing

@Suite("The clock of the first use")
struct FirstClockTests {
  @Test("A moment that was read already is the time on its own clock alone")
  func moments() async throws {
    let (own, other) = (TestClock(), TestClock())
    own.advance(by: .seconds(1))
    other.advance(by: .seconds(100))
    let (here, elsewhere) = (AmbientClock(own), AmbientClock(other))
    let first = FirstClock()
    let start = Moment(on: here)
    // The first moment makes its clock the one that is kept.
    #expect(first.time(at: start) == .seconds(1))
    own.advance(by: .seconds(2))
    #expect(first.time(at: start) == .seconds(1))
    #expect(first.time(at: Moment(on: elsewhere)) == .seconds(3))
    #expect(first.time(at: Moment(on: here)) == .seconds(3))
    #expect(first.time(at: nil) == .seconds(3))
  }

  @Test("Where the first use had no moment, the clock in force is kept")
  func ambient() async throws {
    let (own, other) = (TestClock(), TestClock())
    own.advance(by: .seconds(1))
    let first = FirstClock()
    try await withClock(own) { #expect(first.time(at: nil) == .seconds(1)) }
    other.advance(by: .seconds(100))
    #expect(first.time(at: Moment(on: AmbientClock(other))) == .seconds(1))
  }
}
