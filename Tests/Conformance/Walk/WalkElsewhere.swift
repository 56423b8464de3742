import RandomSteps
import SharingCore
import WasiStorage

extension Walk {
  /// Changes a value as another program, with or without a notification.
  func changeElsewhere(_ step: WalkStep) {
    let number = step.a % 3
    let key = number < 2 ? stored[number].key : pageCell.key
    switch step.action {
    case .other, .otherHeard:
      if number < 2 {
        stored[number].storeChanged { Self.changeElsewhere(&$0, step.b) }
      } else {
        pageCell.storeChanged {
          $0.number = 1000 + step.b
          Self.changeElsewhere(&$0.rows, step.b)
        }
      }
    case .removed: put(nil, number)
    case .damaged:
      let text: UTF8Text = "[{\"id\":\(step.b % 3)"
      put(text.bytes, number)
    default: break
    }
    guard step.action != .other, step.b % 2 == 0 || step.action != .removed else { return }
    if number < 2 { stored[number].hear() } else { pageCell.hear() }
    batch { store.notify(key) }
  }

  private func put(_ bytes: [UInt8]?, _ number: Int) {
    if number < 2 { stored[number].store(bytes) } else { pageCell.store(bytes) }
  }

  private static func changeElsewhere(_ rows: inout [WalkRow], _ number: Int) {
    switch number % 4 {
    case 0: rows.append(WalkRow(id: rows.freeID(number), number: 1000 + number))
    case 1: if !rows.isEmpty { rows.remove(at: number % rows.count) }
    case 2: if !rows.isEmpty { rows[number % rows.count].number = 1000 + number }
    default: rows = .filled(number % 5)
    }
  }

  func answer(_ isGood: Bool) {
    let outside = late.outside
    guard let request = outside.requests.first else { return }
    late.answer(request, isGood: isGood)
    let refusal = StorageError(.denied, key: nil, "as the walk wants it")
    switch outside.takeRequest() {
    case .load(let continuation):
      if !isGood { return continuation.resume(throwing: refusal) }
      guard let rows = outside.rows else { return continuation.resumeReturningInitialValue() }
      continuation.resume(returning: rows)
    case .save(_, let continuation):
      if isGood { continuation.resume() } else { continuation.resume(throwing: refusal) }
    }
  }

  /// Changes the outside of the late key, with or without a notification.
  func changeOutside(_ step: WalkStep) {
    guard late.isQuiet, depth == 0 else { return }
    late.setOutside(.filled(step.b % 7))
    guard step.action == .yield else { return }
    late.takeOver()
    late.outside.subscriber?.yield(late.value)
  }

  func point(_ step: WalkStep) {
    let old = target
    isPointed = true
    switch step.action {
    case .point: target = lists[step.a % lists.count]
    case .pointAnew: target = WalkList(of: .filled(step.b % 5))
    default:
      let number = step.a % 3
      guard lists[number].cell.canLoad else { return }
      target = lists[number]
      target.cell.load()
      switch number {
      case 0: pointer.load(Self.storedKey())
      case 1: pointer.load(Self.draftKey())
      default: pointer.load(WalkLateKey(outside: late.outside))
      }
      return
    }
    _ = old
    pointer.projectedValue = target.shared
  }
}
