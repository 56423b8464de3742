import SharingCore
import SimulatedRevisions

extension CommitWorld {
  /// The state in words: the stored and shown changes, revisions, pending turns and messages.
  var state: String {
    var words = "stored"
    for key in setting.keys {
      words +=
        " \(model.stored[key.rawValue])@\(database.store.stored(KeyName(bytes: key.name.bytes)).revision)"
    }
    for (number, run) in running.enumerated() {
      words += "; \(number)"
      for value in run?.values ?? [] {
        let status = run!.program.run { value.status }
        words += " \(value.lastShown)@\(status.revision)+\(status.pendingCount)"
        if value.isSaving { words += " saving" }
        if value.saveError != nil { words += " unsaved" }
        if value.loadError != nil { words += " unloaded" }
      }
      words += " q\(messages.count(.question, of: number)) r\(messages.count(.answer, of: number))"
      words += " n\(messages.count(.notification, of: number))"
    }
    return words + "; \(programs.journals.names.filter { $0.isJournal }.count) journals"
  }
}
