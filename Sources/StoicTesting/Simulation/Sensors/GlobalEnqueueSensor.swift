import Foundation
import Stoic

/// Sees every job that is handed to the system's threads by code inside a simulation: `Task { }`, `Task.detached`, an
/// explicit global executor.
///
/// It uses a hook that the runtime exports and does not document; where the hook is missing, such work is only noticed
/// when it resumes a task of the simulation.
enum GlobalEnqueueSensor {
  private typealias Original = @convention(thin) (UnownedJob) -> Void
  private typealias Hook = @convention(thin) (UnownedJob, Original) -> Void

  /// Installs the hook, once for the process.
  static let install: Void = {
    guard let symbol = dlsym(dlopen(nil, RTLD_NOW), "swift_task_enqueueGlobal_hook") else { return }
    let hook: Hook = { job, original in
      // An actor that goes on with a plain task of its own hands it over between two tasks, when no value is bound.
      (SimulationRun.current ?? RunHost.currentRun)?.executor.noteEscape(
        "an unstructured task was started outside the simulation (Task { }, Task.detached or a global executor); "
          + "start it with Ambient.task")
      original(job)
    }
    symbol.assumingMemoryBound(to: Optional<Hook>.self).pointee = hook
  }()
}
