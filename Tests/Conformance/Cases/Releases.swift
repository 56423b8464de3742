import SharingCommits
import SharingCore
import SharingTestDoubles
import SimulatedRevisions
import WasiStorage

/// Programs of two releases over one store. The newer release has one more kind of note.
let releases: [Case] = [
  Case("R15", "a release that cannot read a list shows its own, and overwrites nothing") { trial in
    let programs = Programs(2)
    let (older, newer) = (programs[0].notes(OlderNote.self), programs[1].notes(NewerNote.self))
    programs.deliverAll()
    programs[0].run { older.append { _ in OlderNote(id: 1) } }
    programs.deliverAll()
    programs[1].run { newer.append { _ in NewerNote(id: 2, kind: .starred) } }
    programs.deliverAll()
    let stored = programs.text("notes")
    trial.expect(older.count, equals: 1)
    trial.expect(older.loadError.map(isUnreadable) == true, "it is not said")
    for id in 3...4 {
      programs[0].run { older.append { _ in OlderNote(id: id) } }
      programs.deliverAll()
      trial.expect(older.count, equals: id - 1)
      trial.expect(older.saveError.map(isUnreadable) == true, "it is not said")
      trial.expect(programs.text("notes") == stored, "the list is overwritten")
    }
    trial.expect(programs.text("notes.replaced"), contains: #""id":4"#)
    trial.expect(programs.text("notes.corrupt") == nil, "the list counts as damage")
    trial.expect(newer.wrappedValue.map { $0.id } == [1, 2], "the newer release shows others")
  },
  Case("R15", "a reset by a release that cannot read a list replaces it, and keeps a copy") {
    trial in
    let programs = Programs(2)
    let (older, newer) = (programs[0].notes(OlderNote.self), programs[1].notes(NewerNote.self))
    programs.deliverAll()
    programs[1].run { newer.append { _ in NewerNote(id: 2, kind: .starred) } }
    programs.deliverAll()
    programs[0].run { older.reset() }
    programs.deliverAll()
    trial.expect(programs.text("notes") == nil, "the list is still there")
    trial.expect(programs.text("notes.replaced"), contains: "starred")
    trial.expect(older.saveError == nil && older.loadError == nil, "it is not reset")
    trial.expect(newer.count, equals: 0)
    programs[0].run { older.append { _ in OlderNote(id: 3) } }
    programs.deliverAll()
    trial.expect(older.saveError == nil, "it is not saved")
    trial.expect(newer.count, equals: 1)
  },
  Case("R28", "a release that cannot read a list recovers nothing into it") { trial in
    for isNewerFirst in [true, false] {
      let programs = Programs(2)
      let (older, newer) = (programs[0].notes(OlderNote.self), programs[1].notes(NewerNote.self))
      programs.deliverAll()
      if isNewerFirst {
        programs[1].run { newer.append { _ in NewerNote(id: 2, kind: .starred) } }
      }
      programs[0].run { older.append { _ in OlderNote(id: 1) } }
      programs.crash(0)
      if !isNewerFirst {
        programs[1].run { newer.append { _ in NewerNote(id: 2, kind: .starred) } }
      }
      programs.deliver(to: programs[1])
      let next = programs[0].notes(OlderNote.self)
      programs.deliverAll()
      programs[0].run { programs[0].clock.advance(by: 1000) }
      programs.deliverAll()
      trial.expect(programs.text("notes"), contains: #"{"id":2,"kind":"starred"}"#)
      trial.expect(newer.wrappedValue.contains { $0.id == 2 }, "the newer note is gone")
      trial.expect(next.loadError != nil, "it is not said")
    }
  },
]

private func isUnreadable(_ error: AnyError) -> Bool {
  if case .unreadable = reason(of: error) { true } else { false }
}

@Stored private struct OlderNote: Equatable, Identifiable {
  var id = 0
  var kind = Kind.plain

  @Stored enum Kind { case plain }
}

@Stored private struct NewerNote: Equatable, Identifiable {
  var id = 0
  var kind = Kind.plain

  @Stored enum Kind { case plain, starred }
}

extension Program {
  fileprivate func notes<Note: JSONValue & Identifiable>(_ type: Note.Type) -> Shared<[Note]> {
    run { Shared(wrappedValue: [], .revisions("notes", in: store)) }
  }
}
