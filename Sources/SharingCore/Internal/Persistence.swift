/// What links a root to its key, whatever the key's type: loads at first use, takes over what the key
/// yields, has it save. An abstract class; ``KeyPersistence`` calls the key.
class Persistence: @unchecked Sendable {
  /// Somebody who has asked for loading or saving, and hears the outcome once.
  typealias Completion = @Sendable (Result<Void, AnyError>) -> Void
  /// Does what a key is asked for; see ``SharedKey/save(_:context:continuation:)``.
  typealias Saver = @Sendable (SaveRequest, Root, SaveContinuation) -> Void

  /// Closed until the value has been loaded for the first time.
  final let startGate = StartGate()
  /// Where the root is listed; set before it is.
  final var place: (entry: TableEntry, table: ReferenceTable)?
  private let lock = Lock()
  private var subscription: SharedSubscription?
  private var madeStatus: ValueReference<SharedStatus>?
  /// Whether it is loading, as long as there is no status to say so.
  private var isLoading = false
  private var loadErrorTurn: UInt?
  /// Nil where the value cannot be stored. Guarded by the root's lock, as what follows.
  final var saver: Saver?
  /// The thread that calls the key to save, if one does.
  final var savingThread: UnsafeRawPointer?
  /// How often the value has been changed while its turn saved, and in which turn.
  final var changesInSaves: (turn: UInt, count: Int) = (0, 0)
  final var saves = RequestCount()
  final var loads = RequestCount()
  /// The revisions before and after the last answers to loads, if nothing else has come in between: they
  /// do not stand in the way of a later load's answer.
  final var loaded: (before: UInt32, after: UInt32)?
  /// Whether the store was not looked at because another thread was saving.
  final var hasMissedRefresh = false
  final var requests: [Completion] = []
  final var changedElements = ChangedElements.unknown
  /// The revision of the value that a reset has made: for as long as it is the current one, nothing
  /// shall be stored.
  final var resetRevision: UInt32?

  // MARK: What depends on the key's type

  /// Has the key load, for the first time if there is the address of a default.
  func load(_ initialValue: UnsafeMutableRawPointer?, _ continuation: ContinuationBox) {
    fatalError("load(_:_:) is overridden")
  }

  /// Has the key tell what it learns later.
  func subscribe(
    _ initialValue: UnsafeMutableRawPointer, _ subscriber: AnySubscriber
  ) -> SharedSubscription {
    fatalError("subscribe(_:_:) is overridden")
  }

  /// Whether the key may have something new to tell.
  var needsRefresh: Bool { fatalError("needsRefresh is overridden") }

  /// Has the key tell what its store holds now, if that is something new.
  func refresh(_ subscriber: AnySubscriber) { fatalError("refresh(_:) is overridden") }

  /// What messages call the key.
  var label: UTF8Text { fatalError("label is overridden") }

  // MARK: Life

  /// The root, as long as somebody refers to it.
  final var root: Root? { place.flatMap { $0.table.root(of: $0.entry) } }

  /// Follows the key from now on.
  final func follow(_ initialValue: UnsafeMutableRawPointer) {
    let subscription = subscribe(initialValue, RootSubscriber(self, since: nil))
    lock.withLock { self.subscription = subscription }
  }

  /// The root goes: nothing must reach it from now on. Called from its `deinit`.
  final func detach() {
    if let place { place.table.remove(place.entry) }
    let subscription = lock.withLock {
      let subscription = self.subscription
      self.subscription = nil
      return subscription
    }
    subscription?.cancel()
  }

  // MARK: Status

  /// What is known, whoever asks: it is not observed. Nil while nobody has asked and nothing has failed.
  final var unobservedStatus: SharedStatus? {
    lock.withLock { madeStatus }?.current
  }

  /// Notes that loading has begun or ended.
  /// - Returns: False where the status has to be told.
  final func noteLoading(_ isLoading: Bool) -> Bool {
    lock.withLock {
      self.isLoading = isLoading
      return madeStatus == nil
    }
  }

  /// Whether `loadError` has been set in the turn under way: then nobody has had the time to see it.
  final var isLoadErrorNew: Bool {
    get { lock.withLock { loadErrorTurn == Turn.current.number } }
    set { lock.withLock { loadErrorTurn = newValue ? Turn.current.number : nil } }
  }

  /// What is known of loading and saving, made when first asked for.
  final var status: Shared<SharedStatus> {
    Shared(
      lock.withLock {
        if let madeStatus { return madeStatus }
        let status = ValueReference(SharedStatus(loading: isLoading))
        status.isStatus = true
        madeStatus = status
        return status
      })
  }
}
