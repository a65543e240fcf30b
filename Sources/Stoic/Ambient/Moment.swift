/// An instant and its clock: the time that was read once, for all that happens at one point of a call.
package struct Moment: Sendable {
  package let clock: AmbientClock
  package let instant: AmbientClock.Instant

  package init(_ instant: AmbientClock.Instant, on clock: AmbientClock) {
    self.instant = instant
    self.clock = clock
  }

  /// The present moment of a clock.
  package init(on clock: AmbientClock) {
    self.init(clock.now, on: clock)
  }
}
