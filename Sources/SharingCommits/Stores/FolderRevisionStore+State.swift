import CHost
import SharingCore
import WasiStorage

// Reads and replaces the state in the folder. The lock is held.
extension FolderRevisionStore {
  func store(_ commit: Commit) throws(StorageError) -> CommitAnswer {
    var state = if let known { known } else { try current() }
    while true {
      var next = FolderState(revision: state.revision + 1, name: nextName(), records: state.records)
      let answer = next.records.store(commit)
      switch answer {
      case .accepted:
        let isRepeated = (state.records.lastStep(of: commit.client) ?? 0) >= commit.through
        if isRepeated { return answer }
        if try replace(state, by: next) { return answer }
        state = try current()
      case .conflict:
        // The known state may be old.
        let newest = try current()
        if newest.name == state.name { return answer }
        state = newest
      case .failed: return answer
      }
    }
  }

  /// - Returns: Whether `old` was still the current state; then `new` has replaced it.
  private func replace(
    _ old: FolderState, by new: FolderState
  ) throws(StorageError) -> Bool {
    let call = FileCall("Writing the folder ", folder.bytes, for: nil)
    let (data, bytes) = (path("data.\(new.name)").bytes, new.bytes)
    try call.check(
      sharing_file_add(data, data.byteCount32, bytes, bytes.byteCount32))
    let code = move(old.fileName, to: new.fileName)
    var isCurrent = code == 0
    if !isCurrent, let names = try names() {
      isCurrent = names.contains(new.fileName)  // a move that failed may still have happened
    }
    remove("data.\(isCurrent ? old.name : new.name)")
    if !isCurrent, code != Int32(SHARING_MISSING) { try call.check(code) }
    if isCurrent { known = new }
    return isCurrent
  }

  /// Reads the current state from the folder; makes the folder if it is missing.
  func current() throws(StorageError) -> FolderState {
    var found: [UTF8Text] = []
    var making: Int32 = 0
    for _ in 0..<1000 {
      guard let names = try names() else {
        making = try makeFolder()
        continue
      }
      // A name that is being renamed may be seen twice, or not at all.
      found = names.filter { FolderState.isStateFile($0) }
      guard found.count == 1, let name = FolderState.name(ofFile: found[0]) else { continue }
      if let known, known.fileName == found[0] { return known }
      if let state = try state(found[0], named: name) {
        known = state
        return state
      }
    }
    try FileCall("Making the folder ", folder.bytes, for: nil).check(making)
    throw StorageError(.other, key: nil, trouble(with: found))
  }

  private func trouble(with found: [UTF8Text]) -> UTF8Text {
    switch found.count {
    case 0: "The folder \(folder) has no state file. Remove it, or give the store another one."
    case 1:
      """
      The folder \(folder) lacks the data of the state \(found[0]). Restore the data, or remove \
      both.
      """
    default:
      "The folder \(folder) holds the states \(found[0]) and \(found[1]). Remove one of them."
    }
  }

  /// Reads a state; nil if another program has replaced it meanwhile.
  private func state(_ file: UTF8Text, named name: UTF8Text) throws(StorageError) -> FolderState? {
    guard let revision = FolderState.revision(ofFile: file) else { throw damaged(file) }
    if revision == 0 { return FolderState(revision: 0, name: name, records: CommitRecords()) }
    guard let bytes = try FileSlot.bytes(at: path("data.\(name)").bytes, for: nil) else {
      return nil
    }
    guard let state = FolderState(revision: revision, name: name, bytes) else {
      throw damaged("data.\(name)")
    }
    return state
  }

  private func damaged(_ file: UTF8Text) -> StorageError {
    StorageError(
      .corrupt(offset: 0), key: nil,
      "The file \(path(file)) is damaged and is not overwritten.")
  }

  /// Returns the names of the folder's files; nil if it is missing, or none of them is a file of a
  /// revision store.
  func names() throws(StorageError) -> [UTF8Text]? {
    let all = try FileSlot.names(in: folder.bytes)?.map { UTF8Text($0) }
    let isStore = all?.contains { FolderState.isStateFile($0) || $0.isDataFile } ?? false
    return isStore ? all : nil
  }

  /// Makes the folder with its first state. Moves it into place as a whole, so that a program that
  /// comes late does not begin anew.
  /// - Returns: A negative code if the move failed; another program may have been first.
  private func makeFolder() throws(StorageError) -> Int32 {
    let temporary: UTF8Text = "\(folder).\(nextName())"
    let first: UTF8Text = "\(temporary)/\(FolderState.firstFileName)"
    try FileCall("Making the folder ", folder.bytes, for: nil).check(
      sharing_file_add(first.bytes, first.bytes.byteCount32, [], 0))
    let code = sharing_file_move(
      temporary.bytes, temporary.bytes.byteCount32, folder.bytes, folder.bytes.byteCount32)
    if code < 0 {
      _ = sharing_file_remove(first.bytes, first.bytes.byteCount32)
      _ = sharing_folder_remove(temporary.bytes, temporary.bytes.byteCount32)
    }
    return code
  }

  private func nextName() -> UTF8Text {
    nextNumber += 1
    return "\(author)-\(nextNumber)"
  }

  func path(_ file: UTF8Text) -> UTF8Text { "\(folder)/\(file)" }

  private func move(_ old: UTF8Text, to new: UTF8Text) -> Int32 {
    let (old, new) = (path(old).bytes, path(new).bytes)
    return sharing_file_move(old, old.byteCount32, new, new.byteCount32)
  }

  private func remove(_ file: UTF8Text) {
    let path = path(file).bytes
    _ = sharing_file_remove(path, path.byteCount32)
  }
}
