import SharingCore
import WasiStorage

/// The part of an engine that has failed.
enum EnginePart {
  case answer
  case changes

  fileprivate var words: StaticString {
    switch self {
    case .answer: "has failed"
    case .changes: "reports no more changes of others"
    }
  }
}

// Reads the words of a message.
extension [UTF8Text?] {
  func revisions(from start: Int) -> [StoredRevision] {
    var all: [StoredRevision] = []
    var index = start
    while index + 2 < count {
      all.append(
        StoredRevision(
          key: KeyName(bytes: self[index]?.bytes ?? []),
          revision: revision(at: index + 1), bytes: self[index + 2]?.bytes))
      index += 3
    }
    return all
  }

  /// Reads keys and revisions, from the third word on. Each key has the bytes of its first entry.
  func revisions(of entries: [CommitEntry]) -> [StoredRevision] {
    var all: [StoredRevision] = []
    var index = 2
    while index + 1 < count {
      let key = KeyName(bytes: self[index]?.bytes ?? [])
      let bytes = entries.first { $0.key == key }?.bytes
      all.append(StoredRevision(key: key, revision: revision(at: index + 1), bytes: bytes))
      index += 2
    }
    return all
  }

  private func revision(at index: Int) -> Int64 {
    (self[index]?.bytes).flatMap { try? JSON.decode(from: $0) } ?? 0
  }

  func failure(of engine: EngineName, _ part: EnginePart = .answer) -> StorageError {
    let code = count > 2 ? self[2] : nil
    let reason: StorageError.Reason =
      code == "denied" ? .denied : code == "quota" ? .quotaExceeded : .unavailable
    let message: UTF8Text = (count > 3 ? self[3] : nil) ?? ""
    return StorageError(
      reason, key: count > 4 ? self[4].map { KeyName(bytes: $0.bytes) } : nil,
      "The engine \"\(engine.text)\" \(part.words): \(message)")
  }
}

extension [CommitEntry] {
  /// The entries as words of a message.
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
