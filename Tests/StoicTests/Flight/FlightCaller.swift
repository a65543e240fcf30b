import Stoic
import StoicTesting

extension SingleFlight where Key == String, Value == Int {
  /// A caller of one key, whose flight takes a second.
  func call(_ inside: Occupancy, value: Int = 1) -> Task<Int, any Error> {
    Ambient.task {
      try await self.run("key") {
        try await inside.stay(for: .seconds(1))
        return value
      }
    }
  }
}
