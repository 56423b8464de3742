import SharingCore

/// The store's answers.
extension PersistenceWorld {
  mutating func answerLoad(_ index: Int, isOld: Bool) {
    let load = loads.remove(at: index)
    let value = isOld ? load.old : stored
    let before = shown
    let wasRefused = machine.isRefused
    let isPassed = isPassed(load)
    deliver(.load(load.number), value)
    let isShown = shown == value ?? 0
    if kind == .reading || !kind.isUsersKey && isShown { known = value }
    if !load.isCurrent || isPassed, shown != before { problem = "an outdated answer is shown" }
    let mustShow = load.isCurrent && !isPassed && !wasRefused
    if mustShow, !isShown { problem = "the newest answer is not shown" }
    if wasRefused, shown != before { problem = "a load hides a change that could not be saved" }
  }

  private mutating func isPassed(_ load: Load) -> Bool {
    let isPassed = load.number < lastAnswered
    lastAnswered = loads.isEmpty ? 0 : max(lastAnswered, load.number)
    return isPassed
  }

  mutating func failLoad(_ index: Int) {
    let load = loads.remove(at: index)
    if !isPassed(load), loadError != .loss { loadError = .failure }
    guard machine.failed(.load(load.number), in: turn) == .report else { return }
    shownError = .failure
  }

  mutating func performSave() {
    let index = saves.firstIndex { !$0.isPerformed }!
    saves[index].isPerformed = true
    (stored, known) = (saves[index].value, saves[index].value)
    if saves[index].value ?? 0 == newestSave { unstored = nil }
  }

  mutating func answer(_ save: Save, isFailure: Bool) {
    let (status, next) = machine.saveAnswered(save.number, isFailure: isFailure, in: turn)
    switch status {
    case .nothing: break
    case .setSaveError: saveError = true
    case .clearSaveError: saveError = false
    case .clearErrors: (saveError, shownError) = (false, .none)
    }
    if status != .nothing, !isFailure, loadError == .old { loadError = .none }
    schedule(next)
  }
}
