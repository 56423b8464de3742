import RandomSteps
import SharingCore
import WasiStorage

// The effects of the steps: first on the model, since observers compare with it, then on the
// values.

extension Walk {
  func perform(_ step: WalkStep) {
    let list = step.a % 6 == 5 ? target : lists[step.a % 6]
    let shared = step.a % 6 == 5 ? pointer : list.shared
    switch step.action {
    case .field, .title, .at, .element, .renumber: changeElement(list, shared, step)
    case .append, .remove, .whole, .reverse, .empty, .fill, .fail, .touch:
      changeList(list, shared, step)
    case .hold, .holdAt: hold(list, shared, step)
    case .held: changeHeld(step)
    case .release: if !held.isEmpty { held.remove(at: step.a % held.count) }
    case .number, .name, .page, .extra, .noExtra, .inExtra: changePage(step)
    case .begin, .end: break
    case .other, .otherHeard, .removed, .damaged, .tell: changeElsewhere(step)
    case .full: store.isFull = true
    case .room: store.isFull = false
    case .stamps: store.hasStamps = step.a % 2 == 0
    case .load: load(list, shared)
    case .save:
      list.cell.save()
      shared.save()
    case .reset: reset(list, shared)
    case .loadAll:
      for list in lists { load(list, list.shared) }
    case .wait: advance(by: 1 + step.b % 8)
    case .flush:
      for cell in cells { cell.wait(until: .max) }
      environment.stores.flush()
    case .answer, .refuse: answer(step.action == .answer)
    case .outside, .yield: changeOutside(step)
    case .point, .pointAnew, .pointByKey: point(step)
    case .observe: if observers.count < 12 { addObserver(step.a, step.b) }
    case .cancel:
      if !observers.isEmpty { observers.remove(at: step.a % observers.count).cancel() }
    case .status: watched = list
    }
  }

  private func load(_ list: WalkList, _ shared: Shared<[WalkRow]>) {
    guard list.cell.canLoad else { return }
    list.cell.load()
    shared.load()
  }

  private func reset(_ list: WalkList, _ shared: Shared<[WalkRow]>) {
    guard list.cell !== pageCell else {
      pageCell.reset()
      return page.reset()
    }
    list.cell.reset()
    shared.reset()
  }
}
