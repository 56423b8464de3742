import SharingCore

/// The expected results of all programs, regardless of lost messages.
struct CommitModel {
  /// The addends of the count: each program counts in two digits of it. Changes in pairs with
  /// another key count in the last ones.
  static let units = [1, 100, 10_000, 1_000_000]

  /// The number of additions of each unit.
  var counts = [0, 0, 0, 0]
  /// The maximum number of lost additions of each unit, stored before the store was cleared; and of
  /// lost pairs.
  private(set) var lost = [0, 0, 0, 0]
  private(set) var lostPairs = 0
  /// The tasks by id, from 1 on.
  var tasks: [TaskOfModel] = []
  var titles: [Title] = []
  /// The saved copies of replaced changes.
  var copies: [[UInt8]] = []

  struct TaskOfModel {
    var marks = 0
    var isRemoved = false
    /// Whether it was stored before the store was cleared: then it may come back in its shown form.
    var mayBeGone = false
    let run: CommitRun
  }

  struct Title {
    let id: Int
    let text: String
    /// The title shown before.
    let before: String
    let run: CommitRun
  }

  /// - Returns: The id of a new task.
  mutating func newTask(of run: CommitRun) -> Int {
    tasks.append(TaskOfModel(run: run))
    return tasks.count
  }

  /// A task may be removed or get a title, but not both: the model cannot order two concurrent
  /// changes of these kinds.
  static func isRemovable(_ id: Int) -> Bool { id % 2 == 0 }

  /// Clears the store, which had these contents.
  mutating func clear(counted count: Int, _ pairs: Int, _ stored: [Task]) {
    for (index, part) in Self.parts(of: count).enumerated() { lost[index] += part }
    lostPairs += pairs
    for task in stored { tasks[task.id - 1].mayBeGone = true }
  }

  // MARK: Checking

  /// Returns the number of each unit in a count.
  static func parts(of count: Int) -> [Int] { units.map { count / $0 % 100 } }

  /// Returns the problem of the counts that are shown at the end; nil if there is none.
  func problem(inCount count: Int, _ pairs: Int) -> String? {
    for (index, part) in Self.parts(of: count).enumerated()
    where !(counts[index] - lost[index]...counts[index]).contains(part) {
      return "the count is \(count)"
    }
    let isRight = (counts[3] - lostPairs...counts[3]).contains(pairs)
    return isRight ? nil : "\(pairs) of \(counts[3]) pairs"
  }

  /// The maximum number of marks of a task; -1 for an unknown task.
  func marks(of id: Int) -> Int {
    if id > tasks.count { return -1 }
    return tasks[id - 1].mayBeGone ? .max : tasks[id - 1].marks
  }

  /// Returns the problem of the tasks that are shown at the end; nil if there is none.
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

  /// Each title is shown, or was replaced by a program that had read it, or has a copy and an error
  /// for its author.
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
  /// Returns whether it contains these bytes.
  fileprivate func contains(_ part: [UInt8]) -> Bool {
    guard part.count <= count else { return false }
    return (0...count - part.count).contains { self[$0..<$0 + part.count].elementsEqual(part) }
  }
}
