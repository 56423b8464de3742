import SharingCore

// What the words of a message stand for.
extension [UTF8Text?] {
  func revisions(from start: Int) -> [StoredRevision] {
    var all: [StoredRevision] = []
    var index = start
    while index + 2 < count {
      all.append(
        StoredRevision(
          key: KeyName(bytes: self[index]?.bytes ?? []),
          revision: (self[index + 1]?.bytes).flatMap { try? JSON.decode(from: $0) } ?? 0,
          bytes: self[index + 2]?.bytes))
      index += 3
    }
    return all
  }

  func failure(of engine: EngineName) -> StorageError {
    let code = count > 2 ? self[2] : nil
    let reason: StorageError.Reason =
      code == "denied"
      ? .denied
      : code == "quota" ? .quotaExceeded : code == "unavailable" ? .unavailable : .other
    let message: UTF8Text = (count > 3 ? self[3] : nil) ?? ""
    return StorageError(
      reason, key: nil,
      """
      The engine "\(engine.name)" does not store it: \(message) It is shown, and stored when that \
      is possible again.
      """)
  }
}

extension [CommitEntry] {
  /// The entries in a message.
  var words: [UTF8Text?] {
    var words: [UTF8Text?] = []
    for entry in self {
      words.append(UTF8Text(entry.key.bytes))
      words.append(entry.expected.map { $0.text })
      words.append(entry.bytes.map { UTF8Text($0) })
    }
    return words
  }
}
