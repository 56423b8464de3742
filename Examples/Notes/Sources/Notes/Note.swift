import SharingPage

/// A note, as it is stored and as the page gets it: `{"id":"01K9W2V3…","text":"Buy milk", …}`.
@Stored struct Note: Identifiable, Equatable {
  var id = UniqueID()
  var text: UTF8Text = ""
  /// The time of the last change of the text; nil if it is not recorded.
  var changed: Timestamp?
}

extension SharedKey where Self == LocalStorageKey<[Note]> {
  /// All notes. Version 1 of this program stored only their texts.
  static var notes: Self {
    .localStorage("notes", version: 2, migrations: [StorageMigration(from: 1, notes(of:))])
  }

  /// Each tab makes the same ids: several may read the texts before one stores the notes.
  @Sendable private static func notes(of texts: [UTF8Text]) -> [Note] {
    let time = Timestamp(millisecondsSince1970: 0)
    return texts.indices.map { index in
      Note(id: UniqueID(time: time, randomBits: UInt64(index)), text: texts[index])
    }
  }
}
