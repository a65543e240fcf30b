import Foundation

/// What each contender costs over another that is part of it: nanoseconds, and allocations where they can be counted.
///
/// - Parameter allocations: how many allocations a call may make at most, which the ratio of the count is to.
func overheads(
  of contenders: [AsyncContender], over base: AsyncContender, allowing allocations: Double
) async throws -> [Figure] {
  let counts = try await counts(of: contenders, over: base)
  let times = try await race([base] + contenders)
  return contenders.indices.flatMap { index -> [Figure] in
    let (name, samples) = (contenders[index].name, times[index + 1])
    let time = Figure(name, unit: "ns", samples, over: base.name, times[0])
    let count = counts[name].map {
      Figure(
        "\(name).allocations", unit: "1", [$0], against: "\(Int(allocations)) allocations", [allocations])
    }
    return [time] + [count].compactMap(\.self)
  }
}

/// The allocations of a call by the contender's name; empty, and said so, where they cannot be counted.
private func counts(
  of contenders: [AsyncContender], over base: AsyncContender
) async throws -> [String: Double] {
  guard Allocations.canBeCounted else {
    FileHandle.standardError.write(Data("allocations cannot be counted here and are left out\n".utf8))
    return [:]
  }
  try await Allocations.check()
  let own = try await allocations(base)
  var counts: [String: Double] = [:]
  for contender in contenders { counts[contender.name] = try await allocations(contender) - own }
  return counts
}
