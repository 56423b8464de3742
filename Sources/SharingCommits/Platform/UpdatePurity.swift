import SharingCore
import WasiStorage

#if DEBUG && !hasFeature(Embedded)
  extension CommittedValue {
    /// Reports updates whose result differs when they run again on the same value.
    func checkPurity(of updates: [Update], giving bytes: [UInt8]?) {
      let (shown, defaultText) = committer.lock.withLock { (self.shown, self.defaultText) }
      let stored = StoredRevision(key: name, revision: 1, bytes: shown)
      let step = PendingStep(.updates(updates), from: nil, to: nil)
      guard let replay = try? Replay([step], over: stored, or: defaultText, encoded),
        ItemContents(replay.text) != ItemContents(bytes)
      else { return }
      SharingEnvironment.current.onIssue(
        SharingIssue(
          """
          An update of \(label) has another result when it runs again on the same value, as it \
          does if another program was first. The closure may change only its argument, and may use \
          only that and constants: create random numbers, dates and the like before the update.
          """))
    }
  }
#else
  extension CommittedValue {
    /// Does nothing: only debug builds spend the time, and only native ones the bytes.
    @inline(__always)
    func checkPurity(of updates: [Update], giving bytes: [UInt8]?) {}
  }
#endif
