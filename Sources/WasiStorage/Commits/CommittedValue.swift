import SharingCore

/// The connection of a value to a revision store: keeps what is stored, the steps that are not, and
/// what both make.
///
/// ```
/// base (what is stored) ── steps: sent, then waiting ──▶ shown (what the cell holds)
/// ```
package final class CommittedValue: EncodedValue, Connection, @unchecked Sendable {
  private let keyLabel: KeyLabel
  private let old: Adoption?
  let committer: Committer

  /// What is stored, as far as is known; nil where nothing is known. Guarded by the committer's
  /// lock, as what follows.
  var base: StoredRevision? { didSet { version &+= 1 } }
  /// What has been made of it and is not committed, in order.
  var steps: [PendingStep] = [] { didSet { version &+= 1 } }
  /// Differs after each change of these two.
  private(set) var version: UInt32 = 0
  /// The text of the value in memory; nil for the default.
  var shown: [UInt8]?
  /// The text of the default, which nobody stores.
  var defaultText: [UInt8]?
  /// Why the steps of the commit under way cannot be made again on what is stored.
  var replayError: StorageError?
  /// Whether what is shown is what the steps make of the base.
  var isCurrent = false
  /// Whether they replace there what another program has stored.
  var hasLoss = false
  /// Whether it was told that what is shown may be old: it could not be loaded, or others' commits
  /// may be missed. A change that is told ends that.
  var mayBeStale = false
  /// Whether steps of this program were refused, so that what is shown is stored nowhere.
  var hasRefused = false
  /// Whether what is shown has in it what is being recovered, as far as that can be told.
  var showsJournals = false
  /// Stands for the steps that are being recovered.
  var recovery: PendingStep?
  var link: CellLink?
  /// Is held while the value in memory and `shown` change together: a save that comes from another
  /// thread waits for that.
  let deliveryLock = Lock()

  init(
    _ name: KeyName, _ label: KeyLabel, adopting old: Adoption?, _ coding: AnyStorageCoding,
    _ committer: Committer
  ) {
    keyLabel = label
    self.old = old
    self.committer = committer
    super.init(name, coding)
  }

  package var label: UTF8Text { keyLabel.text(name) }

  package var replaysUpdates: Bool { true }

  // MARK: Loading

  package func load(_ request: LoadRequest) {
    request.withInitialValue { initialValue in
      var json = EncodedJSON()
      let text = try? coding.update(initialValue, &json, nil)
      committer.lock.withLock { defaultText = text }
    }
    let isAnswered = answerWithCopy(request) || adopt(for: request)
    committer.store.load([name, copyName("replaced")], client: committer.client) { result in
      switch result {
      case .success(let snapshot) where isAnswered:
        self.committer.lock.withLock { self.setBase(of: snapshot) }
        self.show()
        self.commitAdoption()
      case .failure(let error) where isAnswered:
        self.reportStale(error)
        self.commitAdoption()
      case .success(let snapshot): self.receive(snapshot, for: request)
      case .failure(let error):
        self.committer.lock.withLock { self.mayBeStale = true }
        request.answer(.failure(error.of(self.name)))
      }
    }
  }

  /// Shows what this browser has shown last until the store has answered: the copy of what was
  /// stored, and what others have changed that is to be recovered.
  private func answerWithCopy(_ request: LoadRequest) -> Bool {
    guard request.isFirst, let journal = committer.journal else { return false }
    guard let text = committer.shown(journal.copy(of: name), of: name), !text.isEmpty,
      deliver(text, { request.answer($0) != nil })
    else { return false }
    let stored = StoredRevision(key: name, bytes: text)
    let replay = try? Replay([], over: stored, or: committer.lock.withLock { defaultText }, coding)
    committer.lock.withLock {
      shown = replay?.text
      showsJournals = true
    }
    return true
  }

  /// Shows what the old key holds until the store has answered, and for good where nothing has ever
  /// been stored there.
  private func adopt(for request: LoadRequest) -> Bool {
    guard let old, committer.lock.withLock({ base == nil && steps.isEmpty }),
      committer.journal?.copy(of: name) == nil
    else { return false }
    switch old.text(in: coding, keepsNothing: committer.lock.withLock { defaultText != nil }) {
    case .success(nil): return false
    case .success(let text):
      committer.lock.withLock {
        steps.append(PendingStep(committer.openStep, .adoption, from: nil, to: text))
        shown = text
      }
      return deliver(text) { request.answer($0) != nil }
    case .failure(let error):
      request.answer(.failure(error))
      return true
    }
  }

  private func commitAdoption() {
    if committer.lock.withLock({ isAdopting }) { committer.turnEnds() }
  }

  /// The committer's lock is held.
  private var isAdopting: Bool {
    if case .adoption? = steps.first?.change { true } else { false }
  }

  /// The committer's lock is held.
  private func setBase(of snapshot: StoredSnapshot) {
    if base == nil, snapshot.applied == nil { committer.knowCopy(in: snapshot) }
    // What has a step in it that is still in ours is for who hears the answer to that.
    guard let stored = snapshot.revisions.first, committer.knows(snapshot.applied),
      stored.revision >= base?.revision ?? 0
    else { return }
    base = stored
    guard stored.revision > 0 else { return }
    committer.journal?.keepCopy(stored)
    if isAdopting, !committer.isCommitting { steps.remove(at: 0) }
  }

  private func receive(_ snapshot: StoredSnapshot, for request: LoadRequest) {
    let (base, steps, version) = committer.lock.withLock {
      setBase(of: snapshot)
      return (journaledBase, self.steps, self.version)
    }
    batch {
      do throws(StorageError) {
        let replay = try replay(steps, over: base)
        if let corruption = replay.corruption { throw corruptError(corruption) }
        let isTaken = deliveryLock.withLock {
          let isTaken = deliver(replay.text) { request.answer($0) != nil }
          if isTaken { didShow(replay, steps, version) }
          return isTaken
        }
        if !isTaken { show() }
      } catch {
        request.answer(.failure(error))
      }
    }
  }

  /// Shows what came while another thread had the value saved.
  package func freshen(_ link: CellLink, _ reason: FreshenReason) {
    if case .event = reason, !committer.lock.withLock({ isCurrent }) { show() }
  }

  package func follow(_ link: CellLink) {
    committer.findJournals()
    let isJournaled = committer.lock.withLock {
      self.link = link
      return committer.isJournaled(name)
    }
    if isJournaled, let request = link.beginSave() {
      let step = PendingStep(0, .set, from: nil, to: nil, request)
      let isRecovered = committer.lock.withLock {
        // Another thread may have heard meanwhile that it is stored.
        if !committer.isJournaled(name) { return true }
        recovery = step
        return false
      }
      if isRecovered { request.answer(nil) }
    }
    committer.watch()
  }

  package func unfollow() {
    committer.lock.withLock { link = nil }
  }
}
