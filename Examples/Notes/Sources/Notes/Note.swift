import SharingPage

/// A note, as it is stored and as the page gets it: `{"id":1764000000000,"text":"Buy milk", …}`.
@Stored struct Note: Identifiable, Equatable {
  /// `Int64`, since `Int` has 32 bits in a page.
  var id: Int64 = 0
  var text: UTF8Text = ""
  /// When the text was changed last; nil where nobody has noted that.
  var changed: Timestamp?
}

extension Note {
  /// A note that is written now. Its id is the time, or one that is not taken yet.
  init(_ text: UTF8Text, at time: Timestamp, after others: [Note]) {
    let last = others.map { $0.id }.max() ?? 0
    self.init(id: max(time.millisecondsSince1970, last + 1), text: text, changed: time)
  }
}

extension SharedKey where Self == LocalStorageKey<[Note]> {
  /// All notes. Version 1 of this program has stored their texts only.
  static var notes: Self {
    .localStorage("notes", version: 2, migrations: [StorageMigration(from: 1, notes(of:))])
  }

  @Sendable private static func notes(of texts: [UTF8Text]) -> [Note] {
    texts.indices.map { Note(id: Int64($0) + 1, text: texts[$0]) }
  }
}
