import SharingCore
import WasiStorage

/// The connection of a value to a revision store: keeps the stored value, the pending steps, and
/// the result of both.
///
/// ```
/// base (the stored value) ── steps: sent, then waiting ──▶ shown (the cell's value)
/// ```
package final class CommittedValue: Connection, @unchecked Sendable {
  enum ShownState {
    /// No value was shown yet.
    case nothing
    /// The shown value is the result of the steps on the base.
    case current
    /// The base has changed since the value was shown, or the value may contain journaled steps.
    case outdated
    /// Steps of this program were refused, so that the shown value is not stored.
    case refused
  }

  /// Encodes the value in memory.
  let encoded: EncodedValue
  private let keyLabel: KeyLabel
  let committer: Committer

  /// The key whose value is adopted if nothing is stored. Guarded by the committer's lock, as the
  /// properties below.
  var old: AdoptedKey?
  /// The last known stored value; nil before the first one arrives.
  var base: StoredRevision? { didSet { version &+= 1 } }
  /// The steps on the base that are not committed, in order.
  var steps: [PendingStep] = [] { didSet { version &+= 1 } }
  /// The turns whose changes are not saved yet.
  var unsavedTurns: [UInt] = []
  /// The turns whose changes are being saved, until there is a step.
  var turnsInSave: [UInt] = []
  /// Changes whenever `base` or `steps` changes.
  private(set) var version: UInt32 = 0
  /// The text of the value in memory; nil for the default.
  var shown: [UInt8]?
  var defaultText = DefaultText.unknown
  /// The reason why the steps of the current commit cannot be applied to the stored value.
  var replayError: StorageError?
  /// The reason why changes of the value wait for another release: this program cannot read the
  /// stored value, or a change of a value that was made together with this one.
  var obstacle: StorageError?
  /// How the shown value relates to the base and the steps.
  var shownState = ShownState.nothing
  /// Whether the steps replace a change by another program.
  var hasLoss = false
  /// Whether `loadError` already says that the value may be stale: loading failed, or commits of
  /// other programs may be missed. The next change from the store clears it.
  var mayBeStale = false
  /// The save request to answer after the recovery of journaled steps.
  var journaledSave: Receiver?
  /// The value in memory; nil while there is none.
  var follower: Receiver?
  /// Held while the value in memory and `shown` change together; a save on another thread waits.
  /// Not held while codings and completions of the program run (rule R7). Closures of
  /// `withObservationTracking` run before the value changes, and may save or load it: the lock is
  /// recursive.
  let deliveryLock = RecursiveLock()

  init(
    _ name: KeyName, _ label: KeyLabel, adopting old: AdoptedKey?, _ coding: AnyStorageCoding,
    _ committer: Committer
  ) {
    keyLabel = label
    self.old = old
    self.committer = committer
    encoded = EncodedValue(name, coding)
  }

  package var label: UTF8Text { keyLabel.text(name) }

  var name: KeyName { encoded.name }

  /// The name of the copies of replaced values.
  var replacedName: KeyName { name.copy("replaced") }

  var coding: AnyStorageCoding { encoded.coding }

  package var rules: PersistenceMachine.Rules { PersistenceMachine.Rules(replaysUpdates: true) }

  /// Whether the shown value is the result of the steps on the base. The committer's lock is held.
  var isCurrent: Bool { shownState == .current }

  /// Records that the base has changed. The committer's lock is held.
  func outdate() {
    if isCurrent { shownState = .outdated }
  }

  // MARK: Loading

  package func load(_ receiver: Receiver, isFirst: Bool) {
    forgetEndedValue()
    if isFirst { receiver.withDefault { noteDefault($0) } }
    let isAnswered = isFirst && answerWithCopy(receiver) || adopt(for: receiver)
    let client = committer.lock.withLock { committer.client }
    committer.store.load([name, replacedName], client: client) { result in
      switch result {
      case .success(let snapshot) where isAnswered:
        self.committer.lock.withLock { self.setBase(of: snapshot) }
        self.show()
        self.commitAdoptedValue()
      case .failure(let error) where isAnswered:
        self.reportStale(error)
        self.commitAdoptedValue()
      case .success(let snapshot): self.receive(snapshot, for: receiver)
      case .failure(let error):
        self.committer.lock.withLock { self.mayBeStale = true }
        receiver.receive(.failure(error.of(self.name)))
      }
    }
  }

  /// Shows the browser's copy of the stored value until the store answers. Journal entries to
  /// recover are applied to it.
  private func answerWithCopy(_ receiver: Receiver) -> Bool {
    guard let journal = committer.journal else { return false }
    guard let text = committer.shown(journal.copy(of: name), of: self), !text.isEmpty,
      read(text, { receiver.receive($0) != nil })
    else { return false }
    let stored = StoredRevision(key: name, bytes: text)
    let replay = try? Replay([], over: stored, or: committer.lock.withLock { defaultText }, encoded)
    committer.lock.withLock {
      shown = replay?.text
      shownState = .outdated
    }
    return true
  }

  /// Shows the old key's value until the store answers. It stays if nothing was ever stored under
  /// the new key.
  private func adopt(for receiver: Receiver) -> Bool {
    let old = committer.lock.withLock { base == nil && steps.isEmpty ? self.old : nil }
    guard let old, committer.journal?.copy(of: name) == nil else { return false }
    switch old.text(in: coding, storesNil: committer.lock.withLock { defaultText.storesNil }) {
    case .success(nil): return false
    case .success(let text):
      committer.lock.withLock {
        steps.append(PendingStep(.adoption, from: nil, to: text))
        shown = text
      }
      var isAnswered = false
      _ = read(text) {
        isAnswered = true
        return receiver.receive($0) != nil
      }
      return isAnswered
    case .failure(let error):
      receiver.receive(.failure(error))
      return true
    }
  }

  private func commitAdoptedValue() {
    if committer.lock.withLock({ isAdopting }) { committer.commitNewSteps() }
  }

  /// The committer's lock is held.
  private var isAdopting: Bool {
    if case .adoption? = steps.first?.change { true } else { false }
  }

  /// The committer's lock is held.
  private func setBase(of snapshot: StoredSnapshot) {
    if base == nil, snapshot.applied == nil { committer.knowList(in: snapshot) }
    // Skip a snapshot that contains a pending step: the answer to that step's commit brings it.
    guard let stored = snapshot.revisions.first, committer.knows(snapshot.applied),
      stored.revision >= base?.revision ?? 0
    else { return }
    if ItemContents(stored.bytes) != ItemContents(base?.bytes) { outdate() }
    base = stored
    guard stored.revision > 0 else { return }
    keepCopy(stored)
    if isAdopting, !committer.machine.mayHaveStored { steps.remove(at: 0) }
  }

  /// Keeps the browser's copy, unless the stored text is of another release: a program that starts
  /// shows the last copy that it can read.
  func keepCopy(_ stored: StoredRevision) {
    guard let journal = committer.journal, stored.revision > 0 else { return }
    if let bytes = stored.bytes, !coding.decodes(bytes) { return }
    journal.keepCopy(stored)
  }

  private func receive(_ snapshot: StoredSnapshot, for receiver: Receiver) {
    let (base, recovery, steps, version) = committer.lock.withLock {
      setBase(of: snapshot)
      return (self.base, committer.recovery, self.steps, self.version)
    }
    batch {
      do throws(StorageError) {
        let replay = try replay(steps, over: base.map { journaled($0, recovery) })
        if let corruption = replay.corruption { throw corruptError(corruption) }
        if !deliver(replay, steps, version, { receiver.deliver($0) }) { show() }
        reportUnreadable()
      } catch {
        receiver.receive(.failure(error))
      }
    }
  }

  /// Shows a change that arrived while another thread was saving the value.
  package func freshen(_ receiver: Receiver, _ reason: FreshenReason) {
    if case .event = reason, !committer.lock.withLock({ isCurrent }) { show() }
  }

  package func follow(_ receiver: Receiver) {
    committer.findJournals()
    let (isJournaled, isDefaultKnown) = committer.lock.withLock {
      follower = receiver
      return (committer.recovery.has(name), defaultText.isKnown)
    }
    if !isDefaultKnown { receiver.withDefault { noteDefault($0) } }
    if isJournaled, let save = receiver.beginSave() {
      let isRecovered = committer.lock.withLock {
        // Another thread may have ended the recovery meanwhile.
        if !committer.recovery.has(name) { return true }
        journaledSave = save
        return false
      }
      if isRecovered { save.answer(nil) }
    }
    committer.watch()
    // The stored value may be known already, or have changed since the load.
    if !committer.lock.withLock({ isCurrent }) { show() }
  }

  package func unfollow(_ receiver: Receiver) {
    committer.lock.withLock { if follower?.isSame(as: receiver) ?? false { forgetValue() } }
  }

  /// Forgets the value in memory if it is gone. Its end may come later, on another thread.
  private func forgetEndedValue() {
    if let ended = committer.lock.withLock({ follower }), ended.isGone { unfollow(ended) }
  }

  /// Forgets the value in memory. The key's next value begins with its own default, and its
  /// revisions with 0. The committer's lock is held.
  private func forgetValue() {
    follower = nil
    (shown, defaultText, shownState) = (nil, .unknown, .nothing)
    encoded.forget()
  }
}
