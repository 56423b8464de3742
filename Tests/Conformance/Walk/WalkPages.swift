import RandomSteps
import SharingCore

extension Walk {
  func changePage(_ step: WalkStep) {
    let extra = WalkRow(id: 1, number: step.b, title: walkTitle(step.b))
    let inExtra = step.action == .inExtra ? Shared(page.extra) : nil
    if step.action == .inExtra, inExtra == nil { return }
    pageCell.look()
    switch step.action {
    case .number: pageCell.value.number += step.b
    case .name: pageCell.value.name = walkTitle(step.b)
    case .page: pageCell.value.number = -step.b
    case .extra: pageCell.value.extra = extra
    case .noExtra: pageCell.value.extra = nil
    default: pageCell.value.extra?.number += step.b
    }
    // A part that is missing by then is not changed.
    if step.action != .inExtra || pageCell.value.extra != nil { pageCell.change() }
    touchPage(step.action)
    switch step.action {
    case .number: page.number.withLock { $0 += step.b }
    case .name: page.name.withLock { $0 = walkTitle(step.b) }
    case .page: page.withLock { $0.number = -step.b }
    case .extra: page.extra.withLock { $0 = extra }
    case .noExtra: page.extra.withLock { $0 = nil }
    default: inExtra?.number.withLock { $0 += step.b }
    }
  }

  private func touchPage(_ action: WalkAction) {
    switch action {
    case .number: pageTouch.hasNumber = true
    case .name: pageTouch.hasName = true
    case .page:
      pageTouch.isWhole = true
      lists[4].touch.isWhole = true
    default: pageTouch.hasExtra = true
    }
  }
}
