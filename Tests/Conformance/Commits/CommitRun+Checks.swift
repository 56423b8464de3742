import SharingCore
import SimulatedPrograms
import SimulatedRevisions
import WasiStorage

// The observations of a run, and the checks of them.
extension CommitRun {
  func observeCount() -> ObservationToken {
    var last: Int?
    return observe { [unowned(unsafe) self] in
      let now = count.wrappedValue
      checkDifference(now != last)
      last = now
    }
  }

  func observeTasks() -> ObservationToken {
    var last: [Task]?
    return observe { [unowned(unsafe) self] in
      let now = tasks.wrappedValue
      checkDifference(now != last)
      last = now
    }
  }

  private func checkDifference(_ differs: Bool) {
    if !differs, !program.connection.isReceivingLoad {
      schedule.fail("an observer runs without a difference")
    }
  }

  func observeErrors() -> ObservationToken {
    observe { [unowned(unsafe) self] in
      if let error = tasks.loadError, reason(of: error) == .replaced { timesTold += 1 }
    }
  }

  // MARK: Checking

  /// Checks the invariants after every step.
  func check(_ model: CommitModel) {
    let parts = CommitModel.parts(of: count.wrappedValue)
    if zip(parts, lastParts).contains(where: { $0 < $1 }) {
      timesToGoBack -= 1
      if timesToGoBack < 0 { schedule.fail("a count goes back to \(count.wrappedValue)") }
    }
    for index in 0..<4 {
      let (now, made) = (parts[index], model.counts[index])
      if now > made { schedule.fail("\(now) of \(made) are counted") }
      if now < added[index] { schedule.fail("\(now) are shown of \(added[index])") }
    }
    lastParts = parts
    let shown = tasks.wrappedValue
    for task in shown where task.marks > model.marks(of: task.id) {
      schedule.fail("task \(task.id) has \(task.marks) of \(model.marks(of: task.id)) marks")
    }
    for id in ids where !model.tasks[id - 1].isRemoved && !shown.contains(where: { $0.id == id }) {
      schedule.fail("task \(id) is not shown")
    }
    let (isTasksSaving, isCountSaving) = (tasks.isSaving, count.isSaving)
    if !isTasksSaving {
      checkStored(ids, "it is not being saved")
      ids = []
    }
    if !isCountSaving { checkStored(added: added, "it is not being saved") }
    checkError("tasks", isTasksSaving, tasks)
    checkError("count", isCountSaving, count)
    checkError("pairs", pairs.isSaving, pairs)
  }

  /// Checks that a starting program first shows the values that others stored and journaled.
  func checkStart() {
    let shown = tasks.wrappedValue
    for task in schedule.copiedTasks where !schedule.model.tasks[task.id - 1].isRemoved {
      let marks = shown.first { $0.id == task.id }?.marks ?? -1
      if marks < task.marks { schedule.fail("task \(task.id) is not shown at the start") }
    }
  }

  /// Checks that a failure is reported until the store has answered.
  private func checkError<Value>(
    _ key: StaticString, _ isSaving: Bool, _ value: Shared<Value>
  ) {
    let name = KeyName(bytes: UTF8Text(stringLiteral: key).bytes)
    if program.connection.notLoaded.contains(name), value.loadError == nil {
      schedule.fail("it is not told that \(key) is not loaded")
    }
    if !isSaving {
      if value.saveError != nil { schedule.fail("an error stays") }
    } else if let failure = program.connection.failure,
      failure.keys.contains(name),
      value.saveError.map({ reason(of: $0) }) != failure.reason
    {
      schedule.fail("it is not told why \(key) is not saved")
    }
  }

  func checkStored(_ ids: [Int], _ why: String) {
    if ids.isEmpty { return }
    let stored = schedule.storedTasks
    for id in ids where !schedule.model.tasks[id - 1].isRemoved {
      if !stored.contains(where: { $0.id == id }) {
        schedule.fail("\(why), but task \(id) is not stored")
      }
    }
  }

  func checkStored(added: [Int], _ why: String) {
    if added == [0, 0, 0, 0] { return }
    let stored = CommitModel.parts(of: schedule.stored("count"))
    for index in 0..<4 where stored[index] < added[index] {
      schedule.fail("\(why), but \(stored[index]) of \(added[index]) are stored")
    }
  }

  /// Checks the invariants when the store is reachable and time has passed.
  func checkSaved() {
    if isSaving { schedule.fail("it is not stored") }
  }

  /// Checks the invariants when all messages have arrived.
  func checkEnd(_ model: CommitModel) {
    if let problem = model.problem(inCount: count.wrappedValue, pairs.wrappedValue) {
      schedule.fail(problem)
    }
    checkSaved()
    if count.wrappedValue != schedule.stored("count") { schedule.fail("another count is stored") }
    if pairs.wrappedValue != schedule.stored("pairs") { schedule.fail("other pairs are stored") }
    if tasks.wrappedValue != schedule.storedTasks { schedule.fail("other tasks are stored") }
    if let problem = model.problem(in: tasks.wrappedValue) { schedule.fail(problem) }
  }
}
