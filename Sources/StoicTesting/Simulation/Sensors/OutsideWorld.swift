import Foundation
import Synchronization

/// The system's threads, as a run sees them that has nothing left to do: they may be about to bring work back.
///
/// On a busy machine they may take their time. So a run that is stuck asks each of them for a sign of life, behind
/// whatever may be on its way, and gives up some time after the last one.
final class OutsideWorld: Sendable {
  private let asked: Int
  private let answered = Atomic(0)

  /// How many callers hold the main thread while their runs go on: it then answers nobody.
  private static let mainThreadHolders = Atomic(0)

  /// How long a run waits after the last sign of life, and how long at the most, in milliseconds.
  private static let patience = (after: 200, most: 1_600)
  /// How long the repetition of a run that was stuck waits at the most.
  private static let repeatedPatience = 200

  private init() {
    let asksMain = Self.mainThreadHolders.load(ordering: .acquiring) == 0
    asked = asksMain ? 3 : 2
    DispatchQueue.global().async { self.answer() }
    Task.detached { self.answer() }
    if asksMain { DispatchQueue.main.async { self.answer() } }
  }

  private func answer() { answered.add(1, ordering: .releasing) }

  /// Runs a body that holds on to the calling thread for as long as a run takes.
  static func holdingThread<Value>(_ body: () -> Value) -> Value {
    guard Thread.isMainThread else { return body() }
    mainThreadHolders.add(1, ordering: .acquiringAndReleasing)
    defer { mainThreadHolders.subtract(1, ordering: .acquiringAndReleasing) }
    return body()
  }

  /// Waits, in real time, whether another thread brings work back to a run.
  ///
  /// - Parameter isRepeated: whether the run was stuck before, and is made again only for its trace.
  /// - Returns: what escaped; nil when nothing came.
  static func bringsBack(to executor: SimulationExecutor, isRepeated: Bool) -> String? {
    let world = OutsideWorld()
    let most = isRepeated ? repeatedPatience : patience.most
    var waited = 0
    var quiet = 0
    while waited < most, quiet < patience.after {
      if let escape = executor.waitForOutside(.milliseconds(25)) { return escape }
      waited += 25
      // This thread waits on purpose: nobody is to take it for blocked.
      executor.pulse()
      if world.answered.load(ordering: .acquiring) == world.asked { quiet += 25 }
    }
    return nil
  }
}
