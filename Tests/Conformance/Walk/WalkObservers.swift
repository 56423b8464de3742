import SharingCore

// The kinds of observers; about half of them observe a missing part.

extension Walk {
  func addObserver(_ kind: Int, _ number: Int) {
    let list = lists[number % lists.count]
    switch kind % 16 {
    case 0: observeWhole(list)
    case 1: observeCount(list)
    case 2: observeElement(list, id: number / 6 % 12)
    case 3: observeField(list, id: number / 6 % 12)
    case 4: observePosition(list, number / 6 % 8)
    case 5, 6: observeElements(list)
    case 7: observePresence(list, id: number / 6 % 12)
    case 8: observePage("the page's number", { $0.number }) { .of($0.page.number.wrappedValue) }
    case 9: observePage("the page's name", { $0.name }) { .of($0.page.name.wrappedValue) }
    case 10: observeExtra()
    case 11: observePointer()
    case 12: observeFollower()
    case 13: observeChange(of: list)
    case 14: observeAndCancel(list, number)
    default: observeStatus(list)
    }
  }

  private func observeWhole(_ list: WalkList) {
    let observer = WalkObserver("a list", model: { .of(list.rows) }) { _ in !list.touch.isEmpty }
    observer.start { .of(list.shared.wrappedValue) }
    observers.append(observer)
  }

  private func observeCount(_ list: WalkList) {
    let model = { WalkDigest.of(list.rows.count) }
    let observer = WalkObserver("a count", model: model) { $0 != model() }
    let count = list.shared.read { $0.count }
    observer.start { .of(count.wrappedValue) }
    observers.append(observer)
  }

  private func observeElement(_ list: WalkList, id: Int) {
    addElementObserver("an element by its id", list, id) {
      .of($0)
    } read: {
      .of($0?.wrappedValue)
    }
  }

  private func observeField(_ list: WalkList, id: Int) {
    addElementObserver("a field of an element", list, id) {
      .of($0?.number ?? -1)
    } read: {
      .of($0?.number.wrappedValue ?? -1)
    }
  }

  /// Observes only the presence of an element.
  private func observePresence(_ list: WalkList, id: Int) {
    addElementObserver("the presence of an element", list, id) {
      .of($0 == nil ? 0 : 1)
    } read: {
      .of($0 == nil ? 0 : 1)
    }
  }

  private func addElementObserver(
    _ what: StaticString, _ list: WalkList, _ id: Int,
    _ model: @escaping (WalkRow?) -> WalkDigest,
    read: @escaping (Shared<WalkRow>?) -> WalkDigest
  ) {
    var wasThere = list.rows.contains { $0.id == id }
    let observer = WalkObserver(
      what, model: { model(list.rows.first { $0.id == id }) }
    ) { _ in
      wasThere ? list.touch.touches(id: id) : !list.touch.isEmpty
    }
    observer.afterTurn = { wasThere = list.rows.contains { $0.id == id } }
    observer.start { read(list.shared[id: id]) }
    observers.append(observer)
  }

  private func observePosition(_ list: WalkList, _ position: Int) {
    var wasThere = position < list.rows.count
    let observer = WalkObserver(
      "an element by its position",
      model: { .of(position < list.rows.count ? list.rows[position] : nil) }
    ) { _ in
      wasThere ? list.touch.touches(position: position) : !list.touch.isEmpty
    }
    observer.afterTurn = { wasThere = position < list.rows.count }
    observer.start {
      // The list's count itself would be a dependency on all of it.
      guard position < list.rows.count else {
        return .of(list.shared.wrappedValue.first { _ in false })
      }
      return .of(list.shared[position].wrappedValue)
    }
    observers.append(observer)
  }

  /// Keeps a copy of the list from the received changes.
  private func observeElements(_ list: WalkList) {
    let observer = WalkObserver("elements", model: { .of(list.rows) }) { _ in !list.touch.isEmpty }
    let mirror = WalkMirror(observer)
    observer.keep(list.shared.observeElements { mirror.apply($0, $1) })
    observer.expectedChanges = { list.touch.elementChanges }
    observers.append(observer)
  }

  private func observePage<Field: Equatable>(
    _ what: StaticString, _ field: @escaping (WalkPage) -> Field,
    _ read: @escaping (Walk) -> WalkDigest
  ) {
    let observer = WalkObserver(
      what,
      model: { [unowned(unsafe) self] in
        let page = pageCell.value
        return what.utf8CodeUnitCount == 15 ? .of(page.name) : .of(page.number)
      }
    ) { [unowned(unsafe) self] _ in
      pageTouch.isWhole
        || (what.utf8CodeUnitCount == 15 ? pageTouch.hasName : pageTouch.hasNumber)
    }
    observer.start { [unowned(unsafe) self] in read(self) }
    observers.append(observer)
  }

  private func observeExtra() {
    let observer = WalkObserver(
      "what may be nil", model: { [unowned(unsafe) self] in .of(pageCell.value.extra) }
    ) { [unowned(unsafe) self] _ in pageTouch.isWhole || pageTouch.hasExtra }
    observer.start { [unowned(unsafe) self] in .of(Shared(page.extra)?.wrappedValue) }
    observers.append(observer)
  }

  private func observePointer() {
    let observer = WalkObserver(
      "a wrapper that is pointed elsewhere",
      model: { [unowned(unsafe) self] in .of(target.rows) }
    ) { [unowned(unsafe) self] _ in isPointed || !target.touch.isEmpty }
    let mirror = WalkMirror(observer)
    observer.keep(pointer.observeElements { mirror.apply($0, $1) })
    observers.append(observer)
  }

  private func observeFollower() {
    let observer = WalkObserver(
      "a reader that follows", model: { [unowned(unsafe) self] in .of(target.rows) }
    ) { [unowned(unsafe) self] _ in isPointed || !target.touch.isEmpty }
    observer.start { [unowned(unsafe) self] in .of(follower.wrappedValue) }
    observers.append(observer)
  }

  /// Adds an observer that changes another observed value.
  private func observeChange(of list: WalkList) {
    let sum = Shared(value: 0)
    let observer = WalkObserver("what an observer changes", model: { .of(list.rows.count) }) { _ in
      !list.touch.isEmpty
    }
    let changing = observe {
      let count = list.shared.wrappedValue.count
      if count != sum.wrappedValue { sum.withLock { $0 = count } }
    }
    observer.start {
      _ = changing
      return .of(sum.wrappedValue)
    }
    observers.append(observer)
  }

  /// Adds an observer that cancels another one and itself, and creates a new one.
  private func observeAndCancel(_ list: WalkList, _ number: Int) {
    let observer = WalkObserver("a list, once", model: { .of(list.rows) }) { _ in true }
    observer.start { [unowned(unsafe) self, unowned(unsafe) observer] in
      let digest = WalkDigest.of(list.shared.wrappedValue)
      if observer.hasBegun {
        if !observers.isEmpty { observers[number % observers.count].cancel() }
        observer.cancel()
        added.append((number / 6 % 6, number))
      }
      return digest
    }
    observers.append(observer)
  }

  private func observeStatus(_ list: WalkList) {
    statusTokens.append(
      observe {
        _ = list.shared.isLoading
        _ = (list.shared.loadError, list.shared.saveError)
      })
  }
}

/// A copy of a list, maintained from the changes that an observer of its elements receives.
private final class WalkMirror {
  private unowned(unsafe) let observer: WalkObserver
  private var rows: [WalkRow] = []

  init(_ observer: WalkObserver) {
    self.observer = observer
  }

  func apply(_ elements: [WalkRow], _ changes: ElementChanges) {
    switch changes {
    case .anything: rows = elements
    case .removed(let position):
      guard position < rows.count else { return report("one that is gone where none was") }
      rows.remove(at: position)
    case .changed(let positions):
      for position in positions {
        guard position < elements.count else { return report("a position that is not there") }
        if position < rows.count {
          rows[position] = elements[position]
        } else {
          rows.append(elements[position])
        }
      }
    }
    if rows != elements { report("less than has changed") }
    observer.changes = changes
    observer.note(.of(rows))
  }

  private func report(_ problem: String) {
    observer.problem = problem
  }
}
