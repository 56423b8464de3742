import SharingCore

/// What three programs have made together, whatever happened to the messages.
struct CommitModel {
  /// What a change adds to the count: each program counts in two digits of it, and what they do in
  /// pairs with another key in the last ones.
  static let units = [1, 100, 10_000, 1_000_000]

  /// How often each unit was added.
  var counts = [0, 0, 0, 0]
  /// How often at most each is gone, since it was stored when the store was cleared; and the pairs.
  private(set) var lost = [0, 0, 0, 0]
  private(set) var lostPairs = 0
  /// By their ids, from 1 on.
  var tasks: [TaskOfModel] = []
  var titles: [Title] = []
  /// What was kept of what another program has replaced.
  var copies: [[UInt8]] = []

  struct TaskOfModel {
    var marks = 0
    var isRemoved = false
    /// Whether it was stored when the store was cleared: then it may come back as it was shown.
    var mayBeGone = false
    let run: CommitRun
  }

  struct Title {
    let id: Int
    let text: String
    /// What was shown before.
    let before: String
    let run: CommitRun
  }

  /// - Returns: The id of a new task.
  mutating func newTask(of run: CommitRun) -> Int {
    tasks.append(TaskOfModel(run: run))
    return tasks.count
  }

  /// A task may be removed, or get a title, but not both: which of two that do so at once is the
  /// later one, the model does not know.
  static func isRemovable(_ id: Int) -> Bool { id % 2 == 0 }

  /// The store is cleared, which has had this.
  mutating func clear(counted count: Int, _ pairs: Int, _ stored: [Task]) {
    for (index, part) in Self.parts(of: count).enumerated() { lost[index] += part }
    lostPairs += pairs
    for task in stored { tasks[task.id - 1].mayBeGone = true }
  }

  // MARK: Checking

  /// How often each unit is in a count.
  static func parts(of count: Int) -> [Int] { units.map { count / $0 % 100 } }

  /// What is wrong with counts that are shown in the end; nil where nothing is.
  func problem(inCount count: Int, _ pairs: Int) -> String? {
    for (index, part) in Self.parts(of: count).enumerated()
    where !(counts[index] - lost[index]...counts[index]).contains(part) {
      return "the count is \(count)"
    }
    let isRight = (counts[3] - lostPairs...counts[3]).contains(pairs)
    return isRight ? nil : "\(pairs) of \(counts[3]) pairs"
  }

  /// How often a task was marked at most; -1 for one that nobody has made.
  func marks(of id: Int) -> Int {
    if id > tasks.count { return -1 }
    return tasks[id - 1].mayBeGone ? .max : tasks[id - 1].marks
  }

  /// What is wrong with tasks that are shown in the end; nil where nothing is.
  func problem(in shown: [Task]) -> String? {
    for id in 1..<tasks.count + 1 {
      let (task, found) = (tasks[id - 1], shown.filter { $0.id == id })
      if task.mayBeGone {
        if found.count > 1 { return "task \(id) is there \(found.count) times" }
      } else if task.isRemoved {
        if !found.isEmpty { return "task \(id) has come back" }
      } else if found.count != 1 {
        return "task \(id) is there \(found.count) times"
      } else if found[0].marks != task.marks {
        return "task \(id) has \(found[0].marks) of \(task.marks) marks"
      }
    }
    var last: [(run: CommitRun, id: Int)] = []
    for task in shown where !tasks[task.id - 1].mayBeGone {
      let run = tasks[task.id - 1].run
      if let index = last.firstIndex(where: { $0.run === run }) {
        if last[index].id > task.id { return "task \(task.id) is behind a later one" }
        last[index].id = task.id
      } else {
        last.append((run, task.id))
      }
    }
    return problem(inTitlesOf: shown)
  }

  /// A title is shown, or was replaced by who had seen it, or is kept, and who has set it was told.
  private func problem(inTitlesOf shown: [Task]) -> String? {
    for (index, title) in titles.enumerated() where !tasks[title.id - 1].mayBeGone {
      let isShown = shown.contains { $0.id == title.id && $0.title == title.text }
      let isReplaced = titles[index...].contains { $0.id == title.id && $0.before == title.text }
      if isShown || isReplaced { continue }
      let text = UTF8Text(title.text).bytes
      if !copies.contains(where: { $0.contains(text) }) { return "\(title.text) is not kept" }
      if title.run.isRunning, title.run.timesTold == 0 {
        return "nobody is told that \(title.text) is replaced"
      }
    }
    for task in shown where !task.title.isEmpty {
      if !titles.contains(where: { $0.id == task.id && $0.text == task.title }) {
        return "nobody has set \(task.title)"
      }
    }
    return nil
  }
}

extension [UInt8] {
  /// Whether these bytes are somewhere in it.
  fileprivate func contains(_ part: [UInt8]) -> Bool {
    guard part.count <= count else { return false }
    return (0...count - part.count).contains { self[$0..<$0 + part.count].elementsEqual(part) }
  }
}
