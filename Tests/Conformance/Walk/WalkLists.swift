import RandomSteps
import SharingCore

/// Thrown by a closure after a change.
private struct Refusal: Error {}

extension Walk {
  func changeElement(_ list: WalkList, _ shared: Shared<[WalkRow]>, _ step: WalkStep) {
    guard let id = list.id(step.b) else { return }
    let position = step.b % list.rows.count
    switch step.action {
    case .field:
      change(list, id: id) { $0.number += step.b }
      shared[id: id]!.number.withLock { $0 += step.b }
    case .title:
      change(list, id: id) { $0.title = walkTitle(step.b) }
      shared[id: id]!.title.withLock { $0 = walkTitle(step.b) }
    case .at:
      change(list, id: id) { $0.number -= step.b }
      shared[position].number.withLock { $0 -= step.b }
    case .element:
      change(list, id: id) { $0 = WalkRow(id: id, number: step.b, title: walkTitle(step.b)) }
      shared[id: id]!.withLock { $0 = WalkRow(id: id, number: step.b, title: walkTitle(step.b)) }
    default:
      list.cell.look()
      let other = list.rows.freeID(step.b)
      change(list, id: id) { $0.id = other }
      list.touch.isMoved = true
      shared[position].id.withLock { $0 = other }
    }
  }

  private func change(_ list: WalkList, id: Int, _ change: (inout WalkRow) -> Void) {
    list.cell.look()
    let index = list.rows.firstIndex { $0.id == id }
    if let index {
      change(&list.rows[index])
      list.cell.change()
    }
    list.touch.add(id: id, at: index)
  }

  func changeList(_ list: WalkList, _ shared: Shared<[WalkRow]>, _ step: WalkStep) {
    switch step.action {
    case .append: append(list, shared, step.b)
    case .remove: remove(list, shared, step.b)
    case .reverse: change(list, shared) { $0.reverse() }
    case .touch: change(list, shared) { _ in }
    case .empty: change(list, shared) { $0 = [] }
    case .fill: change(list, shared) { $0 = .filled(step.b % 320) }
    case .whole:
      change(list, shared) {
        if !$0.isEmpty { $0[step.b % $0.count].number += 1 }
      }
    default:
      changeModel(list) { $0.append(WalkRow(id: $0.freeID(step.b), number: step.b)) }
      do {
        try shared.withLock { (rows) throws(Refusal) in
          rows.append(WalkRow(id: rows.freeID(step.b), number: step.b))
          throw Refusal()
        }
      } catch {}
    }
  }

  private func change(
    _ list: WalkList, _ shared: Shared<[WalkRow]>, _ change: (inout [WalkRow]) -> Void
  ) {
    changeModel(list, change)
    shared.withLock(change)
  }

  private func changeModel(_ list: WalkList, _ change: (inout [WalkRow]) -> Void) {
    list.cell.look()
    change(&list.rows)
    list.cell.change()
    list.touch.isWhole = true
  }

  private func append(_ list: WalkList, _ shared: Shared<[WalkRow]>, _ number: Int) {
    let make = { @Sendable (rows: [WalkRow]) in
      WalkRow(id: rows.freeID(number), number: number, title: walkTitle(number))
    }
    list.cell.look()
    let row = make(list.rows)
    list.rows.append(row)
    list.cell.change()
    list.touch.add(id: row.id, at: list.rows.count - 1)
    shared.append(make)
  }

  private func remove(_ list: WalkList, _ shared: Shared<[WalkRow]>, _ number: Int) {
    let id = list.id(number) ?? number % 12
    list.cell.look()
    let index = list.rows.firstIndex { $0.id == id }
    let removed = index.map { list.rows.remove(at: $0) }
    list.cell.change()
    if let index { list.touch.removed.append(index) } else { list.touch.isWhole = true }
    list.touch.isMoved = true
    if shared.remove(id: id) != removed { fail("another element was removed") }
  }

  func hold(_ list: WalkList, _ shared: Shared<[WalkRow]>, _ step: WalkStep) {
    guard let id = list.id(step.b), held.count < 4 else { return }
    let position = step.b % list.rows.count
    let element = step.action == .hold ? shared[id: id]! : shared[position]
    held.append(WalkHeld(element, of: list, list.rows[position]))
  }

  func changeHeld(_ step: WalkStep) {
    guard !held.isEmpty else { return }
    let held = held[step.a % held.count]
    held.change { $0.number += step.b }
    held.shared.number.withLock { $0 += step.b }
  }
}
