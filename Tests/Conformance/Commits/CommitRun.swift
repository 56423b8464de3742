import SharingCore
import SimulatedRevisions
import WasiStorage

/// One run of a program of a ``CommitSchedule``, from its start to its end: its values, and what it
/// has seen.
final class CommitRun: @unchecked Sendable {
  let program: Program
  /// Which of the programs it is.
  let number: Int
  unowned(unsafe) let schedule: CommitSchedule
  let count: Shared<Int>
  let pairs: Shared<Int>
  let tasks: Shared<[Task]>
  private var tokens: [ObservationToken] = []
  /// The counts that were shown last: at its start, what other programs have kept a copy of.
  var lastParts: [Int]
  /// How often they may still go back: once for each time that the store was cleared.
  var timesToGoBack: Int
  /// How often it was told that a change of it has been replaced.
  var timesTold = 0
  /// What it has made that it does not know to be stored.
  var ids: [Int] = []
  /// How often it has added each unit.
  private(set) var added = [0, 0, 0, 0]

  var isRunning: Bool { program.isRunning }

  /// Whether a newer program has changed the store's form.
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
      // Who has set a part of it may have brought it back after the store was cleared.
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
    // Few of them, so that several programs change the same ones.
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

  /// What it has made is not stored any more where the store has had it.
  func forget(counted count: Int, _ stored: [Task]) {
    timesToGoBack += 1
    for (index, part) in CommitModel.parts(of: count).enumerated() {
      added[index] = max(0, added[index] - part)
    }
    ids.removeAll { id in stored.contains { $0.id == id } }
  }

  var isSaving: Bool { count.isSaving || pairs.isSaving || tasks.isSaving }

  /// What could not be loaded, as whoever sees the error would.
  func loadAgain() {
    program.run {
      if count.loadError != nil { count.load() }
      if pairs.loadError != nil { pairs.load() }
      if tasks.loadError != nil { tasks.load() }
    }
  }
}
