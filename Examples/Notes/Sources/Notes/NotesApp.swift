import SharingPage

/// Notes, a draft of the next one, and the appearance of the page, in every tab.
@main
struct NotesApp: PageApp {
  @Shared(.notes) var notes: [Note] = []
  @Shared(.localStorage("draft", saving: .debounced(milliseconds: 500))) var draft: UTF8Text = ""
  @Shared(.localStorage("settings")) var settings = Settings()
  /// The current time; tests replace it.
  var now: @Sendable () -> Timestamp = { .now }
  /// A new id; tests replace it.
  var newID: @Sendable () -> UniqueID = { UniqueID() }

  func start(on page: Page) {
    page.bind("notes", rows: $notes)
    page.bind("draft", to: $draft)
    page.bind("theme", to: $settings.theme)
    page.bind("times", to: $settings.showsTimes)
    page.bind("draft-words") { "\(wordCount(of: draft))" }
    page.bind("lengths") { lengths }
    page.bind("has-notes") { !notes.isEmpty }
    page.on("add", "TEXT") { text in
      if wordCount(of: text) == 0 { return page.refuse("Write something first.") }
      add(text)
    }
    page.on("edit", "ID", "TEXT") { word, text in
      guard let id = UniqueID(word) else { return page.refuse("\"\(word)\" is no id.") }
      edit(id, text)
    }
    page.on("remove", "ID") { word in
      guard let id = UniqueID(word) else { return page.refuse("\"\(word)\" is no id.") }
      $notes.remove(id: id)
    }
    page.bindErrors(of: $notes)
    page.bindErrors(of: $draft)
    page.bindErrors(of: $settings)
  }

  /// Adds the text of the draft as a note.
  private func add(_ text: UTF8Text) {
    $notes.append(newNote(text))
    $draft.reset()  // at once: the draft must not reappear after a crash
  }

  /// Changes a note. If another tab has removed it, the note comes back, so the typed text is kept.
  private func edit(_ id: UniqueID, _ text: UTF8Text) {
    let note = newNote(text)
    $notes.withLock { notes in
      if let index = notes.firstIndex(where: { $0.id == id }) {
        if notes[index].text != text {
          (notes[index].text, notes[index].changed) = (text, note.changed)
        }
      } else {
        notes.append(note)
      }
    }
  }

  private func newNote(_ text: UTF8Text) -> Note { Note(id: newID(), text: text, changed: now()) }

  /// The number of words of each note, for the drawing of notes.js: `12 3 40 `.
  private var lengths: UTF8Text {
    var text: UTF8Text = ""
    for note in notes { text += "\(wordCount(of: note.text)) " }
    return text
  }
}
