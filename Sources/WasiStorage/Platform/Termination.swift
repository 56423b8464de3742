// Pending changes of a native program that a signal ends. A page stores them when it is hidden or
// left; a WASI runtime passes no signals on.
#if hasFeature(Embedded) || os(WASI)
  extension DefaultStores {
    /// Does nothing: there are no signals.
    @inline(__always)
    public func flushOnTermination() {}
  }
#else
  import CHost
  import Foundation
  import SharingCore

  extension DefaultStores {
    /// Calls ``flush()`` before SIGTERM, SIGINT (Ctrl-C) or SIGHUP ends the program. By default, a
    /// program that a signal ends loses the pending changes of `.debounced` saves.
    ///
    /// ```swift
    /// prepareSharing { $0.stores.flushOnTermination() }
    /// ```
    /// A ``SharingPage/CommandApp`` calls it. The program still ends by the signal. A second signal
    /// ends it at once. A signal that the program handles or ignores is left to the program, which
    /// calls ``flush()`` itself. `docker stop` sends SIGTERM, and SIGKILL after 10 seconds: nothing
    /// can be stored then. In WebAssembly, this does nothing.
    public func flushOnTermination() { Termination.shared.add(self) }
  }

  /// Flushes stores when a signal asks the program to end.
  private final class Termination: @unchecked Sendable {
    static let shared = Termination()

    private let lock = Lock()
    private var stores: [DefaultStores] = []

    private init() {
      if sharing_signals_receive() { Thread.detachNewThread { self.run() } }
    }

    func add(_ new: DefaultStores) {
      lock.withLock { if !stores.contains(where: { $0 === new }) { stores.append(new) } }
    }

    private func run() {
      let number = sharing_signal_await()
      if number < 0 { return }
      for stores in lock.withLock({ stores }) { stores.flush() }
      sharing_signal_end(number)
    }
  }
#endif
