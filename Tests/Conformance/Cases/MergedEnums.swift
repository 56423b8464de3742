import SharingCommits
import SharingCore
import SharingTestDoubles
import SimulatedPrograms
import WasiStorage

/// Two programs that set an enum with values at the same moment.
let mergedEnums: [Case] = [
  Case("R25", "if two programs set different cases of an enum, the later commit wins") { trial in
    let programs = Programs(2)
    let (one, other) = (programs[0], programs[1])
    let (mine, theirs) = (one.plan(), other.plan())
    one.run { mine.title.withLock { $0 = "house" } }
    programs.deliverAll()
    other.run { theirs.shape.withLock { $0 = .label("b", size: 2) } }
    one.run { mine.shape.withLock { $0 = .circle(radius: 1) } }
    programs.deliver(to: other)
    programs.deliverAll()
    let wanted = Plan(title: "house", shape: .circle(radius: 1))
    trial.expect(mine.wrappedValue == wanted && theirs.wrappedValue == wanted, "they differ")
    trial.expect(mine.loadError == nil, "who has won is told of a loss")
    trial.expect(theirs.loadError.map { reason(of: $0) } == .replaced, "the loser is not told")
    trial.expect(programs.replaced("plan"), contains: #""label""#)
    trial.expect(programs.text("plan.corrupt") == nil, "the stored text does not decode")
    let fresh = programs.start().plan()
    programs.deliverAll()
    trial.expect(fresh.wrappedValue == wanted, "a new program shows another one")
  },
  Case("R25", "if two programs set a case of an enum that was nil, the later commit wins") {
    trial in
    let programs = Programs(2)
    let (one, other) = (programs[0], programs[1])
    let (mine, theirs) = (one.plan(), other.plan())
    programs.deliverAll()
    other.run { theirs.mark.withLock { $0 = .label("b", size: 2) } }
    one.run { mine.mark.withLock { $0 = .circle(radius: 1) } }
    programs.deliver(to: other)
    programs.deliverAll()
    let wanted = Plan(mark: .circle(radius: 1))
    trial.expect(mine.wrappedValue == wanted && theirs.wrappedValue == wanted, "they differ")
    trial.expect(theirs.loadError.map { reason(of: $0) } == .replaced, "the loser is not told")
    trial.expect(programs.replaced("plan"), contains: #""label""#)
  },
  Case("R25", "if one program sets a value of a case and another one the case, the later wins") {
    trial in
    for setsCase in [true, false] {
      let programs = Programs(2)
      let (one, other) = (programs[0], programs[1])
      let (mine, theirs) = (one.plan(), other.plan())
      one.run { mine.shape.withLock { $0 = .circle(radius: 1) } }
      programs.deliverAll()
      let (first, second) = (PlannedShape.label("b", size: 2), PlannedShape.circle(radius: 7))
      other.run { theirs.shape.withLock { $0 = setsCase ? second : first } }
      one.run { mine.shape.withLock { $0 = setsCase ? first : second } }
      programs.deliver(to: other)
      programs.deliverAll()
      let wanted = Plan(shape: setsCase ? first : second)
      trial.expect(mine.wrappedValue == wanted && theirs.wrappedValue == wanted, "they differ")
      let lost: UTF8Text = setsCase ? #""radius":7"# : #""label""#
      trial.expect(programs.replaced("plan"), contains: lost)
    }
  },
  Case("R25", "values of one case that two programs set are merged") { trial in
    let programs = Programs(2)
    let (one, other) = (programs[0], programs[1])
    let (mine, theirs) = (one.plan(), other.plan())
    one.run { mine.shape.withLock { $0 = .label("a", size: 1) } }
    programs.deliverAll()
    other.run { theirs.shape.withLock { $0 = .label("b", size: 1) } }
    one.run { mine.shape.withLock { $0 = .label("a", size: 2) } }
    programs.deliver(to: other)
    programs.deliverAll()
    let wanted = Plan(shape: .label("b", size: 2))
    trial.expect(mine.wrappedValue == wanted && theirs.wrappedValue == wanted, "they differ")
    trial.expect(programs.text("plan.replaced") == nil, "something is replaced")
  },
  Case("R25", "two programs that add the first entries of a dictionary keep both") { trial in
    let programs = Programs(2)
    let (one, other) = (programs[0], programs[1])
    let (mine, theirs) = (one.plan(), other.plan())
    programs.deliverAll()
    other.run { theirs.rooms.withLock { $0["bath"] = 1 } }
    one.run { mine.rooms.withLock { $0["hall"] = 2 } }
    programs.deliver(to: other)
    programs.deliverAll()
    let wanted = Plan(rooms: ["bath": 1, "hall": 2])
    trial.expect(mine.wrappedValue == wanted && theirs.wrappedValue == wanted, "they differ")
    trial.expect(programs.text("plan.replaced") == nil, "something is replaced")
  },
  Case("R28", "a case that a killed program has set replaces another program's case") { trial in
    for updates in [false, true] {
      let programs = Programs(2)
      let (one, other) = (programs[0], programs[1])
      let (mine, theirs) = (one.plan(), other.plan())
      programs.deliverAll()
      one.run {
        if updates {
          mine.shape.update { $0 = .circle(radius: 1) }
        } else {
          mine.shape.withLock { $0 = .circle(radius: 1) }
        }
      }
      programs.crash(0)
      other.run { theirs.shape.withLock { $0 = .label("b", size: 2) } }
      programs.deliverAll()
      let next = programs[0].plan()
      programs.deliverAll()
      programs[0].run { programs[0].clock.advance(by: 1000) }
      programs.deliverAll()
      let wanted = Plan(shape: .circle(radius: 1))
      trial.expect(next.wrappedValue == wanted && theirs.wrappedValue == wanted, "they differ")
      trial.expect(programs.replaced("plan"), contains: #""label""#)
    }
  },
]

@Stored private struct Plan: Equatable {
  var title: UTF8Text = ""
  var shape = PlannedShape.empty
  var mark: PlannedShape? = nil
  var rooms: [UTF8Text: Int] = [:]
}

@Stored private enum PlannedShape: Equatable {
  case empty
  case circle(radius: Double)
  case label(UTF8Text, size: Int)
}

extension Program {
  fileprivate func plan() -> Shared<Plan> {
    run { Shared(wrappedValue: Plan(), .revisions("plan", in: store)) }
  }
}
