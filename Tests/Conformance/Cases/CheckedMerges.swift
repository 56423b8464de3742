import SharingCommits
import SharingCore
import SharingTestDoubles
import SimulatedPrograms
import WasiStorage

/// Merges of two programs' changes whose text the type of the value does not decode.
let checkedMerges: [Case] = [
  Case("R25", "if a merged text does not decode, the later commit wins and the loser is told") {
    trial in
    let programs = Programs(2)
    let (one, other) = (programs[0], programs[1])
    let (mine, theirs) = (one.span(), other.span())
    one.run { mine.withLock { $0 = Span(2, 4) } }
    programs.deliverAll()
    other.run { theirs.withLock { $0 = Span(3, 4) } }
    one.run { mine.withLock { $0 = Span(2, 2) } }
    programs.deliver(to: other)
    programs.deliverAll()
    expect(trial, mine, theirs, Span(2, 2))
    trial.expect(mine.loadError == nil, "who has won is told of a loss")
    trial.expect(theirs.loadError.map { reason(of: $0) } == .replaced, "the loser is not told")
    trial.expect(programs.replaced("span") == #"{"start":3,"end":4}"#, "the loss is not kept")
    trial.expect(programs.text("span.corrupt") == nil, "the stored text does not decode")
    let fresh = programs.start().span()
    programs.deliverAll()
    trial.expect(fresh.wrappedValue == Span(2, 2), "a new program shows another one")
  },
  Case("R25", "a merged text that decodes has the changes of both programs") { trial in
    let programs = Programs(2)
    let (one, other) = (programs[0], programs[1])
    let (mine, theirs) = (one.span(), other.span())
    one.run { mine.withLock { $0 = Span(2, 4) } }
    programs.deliverAll()
    other.run { theirs.withLock { $0 = Span(3, 4) } }
    one.run { mine.withLock { $0 = Span(2, 7) } }
    programs.deliver(to: other)
    programs.deliverAll()
    expect(trial, mine, theirs, Span(3, 7))
    trial.expect(programs.text("span.replaced") == nil, "something is replaced")
  },
  Case("R25", "only the part whose merge does not decode is replaced") { trial in
    let programs = Programs(2)
    let (one, other) = (programs[0], programs[1])
    let (mine, theirs) = (one.days(), other.days())
    one.run {
      mine.withLock { $0 = Days("week", [Day(id: 1, Span(2, 4)), Day(id: 2, Span(0, 9))]) }
    }
    programs.deliverAll()
    other.run {
      theirs.withLock {
        $0.title = "month"
        $0.list[0].span = Span(3, 4)
        $0.list[1].span = Span(5, 9)
      }
    }
    one.run { mine.withLock { $0.list[0].span = Span(2, 2) } }
    programs.deliver(to: other)
    programs.deliverAll()
    let wanted = Days("month", [Day(id: 1, Span(2, 2)), Day(id: 2, Span(5, 9))])
    trial.expect(mine.wrappedValue == wanted && theirs.wrappedValue == wanted, "they differ")
    trial.expect(theirs.loadError.map { reason(of: $0) } == .replaced, "the loser is not told")
    trial.expect(programs.replaced("days"), contains: #""start":3"#)
    trial.expect(programs.text("days.corrupt") == nil, "the stored text does not decode")
  },
  Case("R25", "two programs that replace the only entry of a dictionary keep both new ones") {
    trial in
    let programs = Programs(2)
    let (one, other) = (programs[0], programs[1])
    let (mine, theirs) = (one.rooms(), other.rooms())
    one.run { mine.withLock { $0 = ["hall": 1] } }
    programs.deliverAll()
    other.run { theirs.withLock { $0 = ["bath": 2] } }
    one.run { mine.withLock { $0 = ["loft": 3] } }
    programs.deliver(to: other)
    programs.deliverAll()
    let wanted: [UTF8Text: Int] = ["bath": 2, "loft": 3]
    trial.expect(mine.wrappedValue == wanted && theirs.wrappedValue == wanted, "they differ")
    trial.expect(programs.text("rooms.replaced") == nil, "something is replaced")
  },
  Case("R28", "if a killed program's change cannot be merged to a text that decodes, it wins") {
    trial in
    for updates in [false, true] {
      let programs = Programs(2)
      let (one, other) = (programs[0], programs[1])
      let (mine, theirs) = (one.span(), other.span())
      one.run { mine.withLock { $0 = Span(2, 4) } }
      programs.deliverAll()
      one.run {
        if updates {
          mine.update { $0 = Span(2, 2) }
        } else {
          mine.withLock { $0 = Span(2, 2) }
        }
      }
      programs.crash(0)
      other.run { theirs.withLock { $0 = Span(3, 4) } }
      programs.deliverAll()
      let next = programs[0].span()
      programs.deliverAll()
      programs[0].run { programs[0].clock.advance(by: 1000) }
      programs.deliverAll()
      expect(trial, next, theirs, Span(2, 2))
      trial.expect(programs.replaced("span"), contains: #""start":3"#)
      trial.expect(programs.text("span.corrupt") == nil, "the stored text does not decode")
    }
  },
  Case("R28", "if a killed program's number and another one's are too large together, it wins") {
    trial in
    let programs = Programs(2)
    let (one, other) = (programs[0], programs[1])
    let (mine, theirs) = (one.level(), other.level())
    programs.deliverAll()
    one.run { mine.update { $0 += 200 } }
    programs.crash(0)
    other.run { theirs.update { $0 += 100 } }
    programs.deliverAll()
    let next = programs[0].level()
    programs.deliverAll()
    programs[0].run { programs[0].clock.advance(by: 1000) }
    programs.deliverAll()
    trial.expect(next.wrappedValue == 200 && theirs.wrappedValue == 200, "they differ")
    trial.expect(programs.replaced("level") == "100", "the loss is not kept")
    trial.expect(programs.text("level.corrupt") == nil, "the stored text does not decode")
  },
]

private func expect(
  _ trial: Trial, _ mine: Shared<Span>, _ theirs: Shared<Span>, _ wanted: Span
) {
  trial.expect(mine.wrappedValue == wanted, "the later one shows another value")
  trial.expect(theirs.wrappedValue == wanted, "the other one shows another value")
}

/// A range whose start is not behind its end.
private struct Span: JSONValue, Equatable {
  var start: Int
  var end: Int

  init(_ start: Int, _ end: Int) { (self.start, self.end) = (start, end) }

  static func decode(from json: inout JSONReader) throws(JSONError) -> Span {
    let offset = json.offset
    let bounds = try Bounds.decode(from: &json)
    guard bounds.start <= bounds.end else { throw JSONError(invalidValueAt: offset) }
    return Span(bounds.start, bounds.end)
  }

  func encode(into json: inout JSONWriter) throws(JSONError) {
    try Bounds(start: start, end: end).encode(into: &json)
  }
}

@Stored private struct Bounds {
  var start = 0
  var end = 0
}

@Stored private struct Days: Equatable {
  var title: UTF8Text = ""
  var list: [Day] = []

  init(_ title: UTF8Text, _ list: [Day]) { (self.title, self.list) = (title, list) }
}

@Stored private struct Day: Equatable {
  var id = 0
  var span = Span(0, 0)

  init(id: Int, _ span: Span) { (self.id, self.span) = (id, span) }
}

extension Program {
  fileprivate func span() -> Shared<Span> {
    run { Shared(wrappedValue: Span(0, 0), .revisions("span", in: store)) }
  }

  fileprivate func days() -> Shared<Days> {
    run { Shared(wrappedValue: Days(), .revisions("days", in: store)) }
  }

  fileprivate func rooms() -> Shared<[UTF8Text: Int]> {
    run { Shared(wrappedValue: [:], .revisions("rooms", in: store)) }
  }

  fileprivate func level() -> Shared<UInt8> {
    run { Shared(wrappedValue: 0, .revisions("level", in: store)) }
  }
}
