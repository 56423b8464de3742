// The last id that was made. Natively each environment has its own, so that a simulation's ids are
// the same ones each time.
import SharingCore

#if hasFeature(Embedded)
  extension UniqueID {
    nonisolated(unsafe) private static var last = UniqueID.none

    static func made() -> UniqueID {
      var random = SystemRandomNumberGenerator()
      last = last.next(at: .now, using: &random)
      return last
    }
  }
#else
  extension UniqueID {
    static func made() -> UniqueID { SharingEnvironment.current.uniqueIDs.next() }
  }

  extension SharingEnvironment {
    fileprivate var uniqueIDs: UniqueIDSource { object { UniqueIDSource() } }

    /// Has the ids of this environment made from these times and random numbers. Comes before the
    /// first id.
    package func makeIDs(
      at time: @escaping @Sendable () -> Timestamp,
      using random: any RandomNumberGenerator & Sendable
    ) {
      _ = object { UniqueIDSource(at: time, using: random) }
    }
  }

  /// Makes the ids of an environment.
  private final class UniqueIDSource: @unchecked Sendable {
    private let lock = Lock()
    private let time: @Sendable () -> Timestamp
    /// Guarded by the lock, as the next property.
    private var random: any RandomNumberGenerator
    private var last = UniqueID.none

    init(
      at time: @escaping @Sendable () -> Timestamp = { .now },
      using random: any RandomNumberGenerator = SystemRandomNumberGenerator()
    ) {
      self.time = time
      self.random = random
    }

    func next() -> UniqueID {
      lock.withLock {
        last = last.next(at: time(), using: &random)
        return last
      }
    }
  }
#endif
