import SharingCore
import WasiStorage

extension [CommitEntry] {
  /// Adds replaced texts, the entries for `<key>.replaced` that accept any revision, to the lists
  /// under these names. If a list is not among the stored values, its revision is unknown: the
  /// store then asks for a rebase, and has the list.
  /// - Parameter id: The unique name of the losses of one commit.
  func listing(in stored: [StoredRevision], _ id: UTF8Text) -> [CommitEntry] {
    var (entries, texts): ([CommitEntry], [CommitEntry]) = ([], [])
    for entry in self {
      if entry.isReplacedText { texts.append(entry) } else { entries.append(entry) }
    }
    for text in texts {
      var list = StoredRevision(key: text.key, revision: -1)
      for known in stored where known.key == text.key { list = known }
      // The commit may change the list itself.
      let own = entries.firstIndex { $0.key == text.key }
      let former = own.map { entries[$0].bytes } ?? list.bytes
      let entry = CommitEntry(
        key: text.key, expected: list.revision,
        bytes: ReplacedList.adding(text.bytes ?? UTF8Text("null").bytes, id, to: former ?? []))
      if let own { entries[own] = entry } else { entries.append(entry) }
    }
    return entries
  }
}

extension CommitEntry {
  fileprivate var isReplacedText: Bool {
    let suffix = UTF8Text(".replaced").bytes
    return expected == nil && key.bytes.has(suffix, at: key.bytes.count - suffix.count)
  }
}
