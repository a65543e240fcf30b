import Stoic
import StoicTesting
import Testing

/// A naive model that follows its subject.
///
/// A simulation runs one task at a time, from one suspension to the next. So what a step does to the subject is told to the
/// model in the same step, and the two have to agree before the next one.
final class Followed<Model: Sendable>: Sendable {
  private let state: Lock<(model: Model, version: Int)>
  private let difference: @Sendable (Model) -> String?

  /// - Parameters:
  ///   - model: the model as it begins.
  ///   - difference: what the subject and the model do not agree on.
  init(_ model: Model, difference: @escaping @Sendable (Model) -> String?) {
    state = Lock((model, 0))
    self.difference = difference
  }

  /// How often the model was told of something.
  var version: Int { state.withLock { $0.version } }

  /// The model now.
  var model: Model {
    touch()
    return state.withLock { $0.model }
  }

  /// Tells the model of something.
  @discardableResult
  func tell<Answer: Sendable>(_ what: (inout Model) -> Answer) -> Answer {
    touch()
    return state.withLock { state in
      state.version += 1
      return what(&state.model)
    }
  }

  /// Fails the run where the subject differs from the model.
  func check() {
    let fault = difference(model)
    #expect(fault == nil)
  }
}

/// How the callers of a model's subject pass their time.
enum Pace: Sendable {
  /// All come at once and suspend without a wait: for the search of all schedules, where time only multiplies them.
  case steps
  /// They come, work and are cancelled at instants of the run's choice, of which no two are the same by chance: who is
  /// first is a matter of time alone then, and a model need not guess.
  case times
}

/// Callers at once, the first of whom is cancelled by a task of its own.
struct FollowedCrowd: Sendable {
  /// How many callers there are besides the one who is cancelled, whose name is 0.
  let callers: Int
  let pace: Pace

  /// Runs the callers to their ends; their names are numbers in the order in which they come.
  func run(
    _ call: @escaping @Sendable (_ name: Int) async -> Void, cancelled: @escaping @Sendable () -> Void
  ) async {
    let names = Names()
    let victim = Ambient.task(name: "victim") {
      await arrive(0)
      await call(0)
    }
    await withTaskGroup(of: Void.self) { group in
      startingAlike {
        for _ in 0..<callers {
          group.addTask {
            touch()
            let name = names.next()
            await arrive(name)
            await call(name)
          }
        }
      }
      group.addTask(name: "canceller") {
        if pace == .times { try? await Ambient.sleep(for: .milliseconds(90 + 100 * pick(below: 6))) }
        touch()
        victim.cancel()
        cancelled()
      }
    }
    _ = await victim.result
  }

  private func arrive(_ name: Int) async {
    if pace == .times { try? await Ambient.sleep(for: .milliseconds(name + 100 * pick(below: 4))) }
  }

  /// What a caller does inside.
  func work() async {
    switch pace {
    case .steps: await Task.yield()
    case .times: try? await Ambient.sleep(for: .milliseconds(100 + 100 * pick(below: 3)))
    }
    touch()
  }
}

/// Numbers from 1.
private final class Names: Sendable {
  private let last = Lock(0)

  func next() -> Int {
    last.withLock { last in
      last += 1
      return last
    }
  }
}
