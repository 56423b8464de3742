import SharingCore
import SimulatedPrograms
import SimulatedRevisions
import WasiStorage

/// One run of a program of a ``CommitSchedule``, from its start to its end: its values and its
/// observations.
final class CommitRun: @unchecked Sendable {
  let program: Program
  /// The number of the program.
  let number: Int
  unowned(unsafe) let schedule: CommitSchedule
  let count: Shared<Int>
  let pairs: Shared<Int>
  let tasks: Shared<[Task]>
  private var tokens: [ObservationToken] = []
  /// The counts that were shown last; at the start, those of the copies that other programs wrote.
  var lastParts: [Int]
  /// The number of times that counts may still go back: once each time the store was cleared.
  var timesToGoBack: Int
  /// The number of reports of a replaced change.
  var timesTold = 0
  /// The tasks that it has created and that are not confirmed as stored.
  var ids: [Int] = []
  /// The number of additions of each unit.
  private(set) var added = [0, 0, 0, 0]

  var isRunning: Bool { program.isRunning }

  /// Whether a newer program has changed the store's format.
  var isOutdated: Bool { program.connection.version < schedule.programs.database.version }

  init(_ program: Program, _ number: Int, _ schedule: CommitSchedule) {
    self.program = program
    self.number = number
    self.schedule = schedule
    timesToGoBack = schedule.clearings
    count = program.count()
    pairs = program.count("pairs")
    tasks = program.tasks()
    lastParts = CommitModel.parts(of: schedule.copied("count"))
    checkStart()
    program.run { tokens = [observeCount(), observeTasks(), observeErrors()] }
  }

  // MARK: Changing

  func change(_ action: CommitAction, _ number: Int, _ model: inout CommitModel) {
    switch action {
    case .add: add(&model)
    case .twice:
      batch {
        add(&model)
        update(&model)
        add(&model)
      }
    case .pair:
      batch {
        add(&model, 3)
        pairs.update { $0 += 1 }
        update(&model)
      }
    case .append:
      let id = newTask(&model)
      tasks.append(Task(id: id))
    case .mark: mark(number, &model)
    case .title: setTitle(number, &model, "")
    case .long: setTitle(number, &model, String(repeating: "x", count: 200))
    case .mixed:
      batch {
        if number % 2 == 0 { setTitle(number, &model, "") }
        mark(number, &model)
        update(&model)
        if number % 2 == 1 { setTitle(number, &model, "") }
      }
    default: remove(number, &model)
    }
  }

  private func newTask(_ model: inout CommitModel) -> Int {
    ids.append(model.newTask(of: self))
    return ids[ids.count - 1]
  }

  private func add(_ model: inout CommitModel, _ index: Int? = nil) {
    let index = index ?? number
    model.counts[index] += 1
    added[index] += 1
    count.update { $0 += CommitModel.units[index] }
  }

  private func update(_ model: inout CommitModel) {
    let id = newTask(&model)
    tasks.update { [unowned(unsafe) schedule] tasks in
      // A change of a part may have brought the element back after the store was cleared.
      if schedule.clearings > 0, tasks.contains(where: { $0.id == id }) { return }
      tasks.append(Task(id: id))
    }
  }

  private func mark(_ number: Int, _ model: inout CommitModel) {
    guard let task = chosen(number, where: { _ in true }) else { return }
    model.tasks[task.id - 1].marks += 1
    tasks[id: task.id]!.marks.update { $0 += 1 }
  }

  private func setTitle(_ number: Int, _ model: inout CommitModel, _ rest: String) {
    guard let task = chosen(number, where: { !CommitModel.isRemovable($0) }) else { return }
    let text = "t\(model.titles.count).\(rest)"
    model.titles.append(
      CommitModel.Title(id: task.id, text: text, before: task.title, run: self))
    tasks[id: task.id]!.title.withLock { $0 = text }
  }

  private func remove(_ number: Int, _ model: inout CommitModel) {
    guard let task = chosen(number, where: CommitModel.isRemovable) else { return }
    model.tasks[task.id - 1].isRemoved = true
    ids.removeAll { $0 == task.id }
    _ = tasks.remove(id: task.id)
  }

  private func chosen(_ number: Int, where isFit: (Int) -> Bool) -> Task? {
    let fit = tasks.wrappedValue.filter { isFit($0.id) }
    // Selects from few tasks, so that several programs change the same ones.
    return fit.isEmpty ? nil : fit[number % min(fit.count, 3)]
  }

  func save() {
    let (ids, added, clearings) = (ids, added, schedule.clearings)
    count.save {
      guard case .success = $0, self.schedule.clearings == clearings else { return }
      self.checkStored(added: added, "it was said to be saved")
    }
    tasks.save {
      guard case .success = $0, self.schedule.clearings == clearings else { return }
      self.checkStored(ids, "it was said to be saved")
    }
  }

  /// Removes its changes that were in the store: they are not stored any more.
  func forget(counted count: Int, _ stored: [Task]) {
    timesToGoBack += 1
    for (index, part) in CommitModel.parts(of: count).enumerated() {
      added[index] = max(0, added[index] - part)
    }
    ids.removeAll { id in stored.contains { $0.id == id } }
  }

  var isSaving: Bool { count.isSaving || pairs.isSaving || tasks.isSaving }

  /// Loads failed values again, like a user who sees the error.
  func loadAgain() {
    program.run {
      if count.loadError != nil { count.load() }
      if pairs.loadError != nil { pairs.load() }
      if tasks.loadError != nil { tasks.load() }
    }
  }
}
