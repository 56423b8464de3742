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
        ownText(of: replay.text) != ownText(of: bytes)
      else { return }
      SharingEnvironment.current.onIssue(
        SharingIssue(
          """
          An update of \(label) has another result when it runs again on the same value, as it \
          does if another program was first. The closure may change only its argument, and may use \
          only that and constants: create random numbers, dates and the like before the update.
          """))
    }

    /// Returns the type's own text of a stored value. Elements of a list that the update does not
    /// change keep the form that another program gave them.
    private func ownText(of bytes: [UInt8]?) -> ItemContents {
      ItemContents(
        bytes.map { (try? encoded.coding.parts(of: $0, storesNil: true))?.known ?? $0 })
    }
  }
#else
  extension CommittedValue {
    /// Does nothing: only debug builds spend the time, and only native ones the bytes.
    @inline(__always)
    func checkPurity(of updates: [Update], giving bytes: [UInt8]?) {}
  }
#endif
