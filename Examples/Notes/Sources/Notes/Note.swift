import SharingPage

/// A note, as it is stored and as the page gets it: `{"id":1764000000000,"text":"Buy milk", …}`.
@Stored struct Note: Identifiable, Equatable {
  /// `Int64`, since `Int` has 32 bits in a page.
  var id: Int64 = 0
  var text: UTF8Text = ""
  /// The time of the last change of the text; nil if it is not recorded.
  var changed: Timestamp?
}

extension Note {
  /// Creates a note at a time. Its id is this time, or the next free one.
  init(_ text: UTF8Text, at time: Timestamp, after others: [Note]) {
    let last = others.map { $0.id }.max() ?? 0
    self.init(id: max(time.millisecondsSince1970, last + 1), text: text, changed: time)
  }
}

extension SharedKey where Self == LocalStorageKey<[Note]> {
  /// All notes. Version 1 of this program stored only their texts.
  static var notes: Self {
    .localStorage("notes", version: 2, migrations: [StorageMigration(from: 1, notes(of:))])
  }

  @Sendable private static func notes(of texts: [UTF8Text]) -> [Note] {
    texts.indices.map { Note(id: Int64($0) + 1, text: texts[$0]) }
  }
}
