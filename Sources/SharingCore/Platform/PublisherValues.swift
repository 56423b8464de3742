#if !hasFeature(Embedded)
  extension SharedPublisher where Output: Sendable {
    /// The value now, and after each change, as an asynchronous sequence.
    ///
    /// ```swift
    /// for await count in $count.publisher.values { print(count) }
    /// ```
    /// A reader that is slower than the changes gets the newest value and skips those in between.
    /// The sequence ends when the reading task is cancelled, and when the wrapper is gone. It does
    /// not retain `count`, and keeps its value only to compare it. It does retain a part that is
    /// derived on the way, as in `$user.name.publisher.values`, until the task is cancelled.
    public var values: AsyncStream<Output> {
      AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
        guard handle.isOfWholeValue else {
          let token = sink { continuation.yield($0) }
          continuation.onTermination = { _ in token.cancel() }
          return
        }
        let moves = Shared(value: 0)
        // Watched before it is read, so that no move between is missed.
        let watcher = HandleWatch.Watcher(
          onMove: { ChangeRecorder.without { moves.withLock { $0 &+= 1 } } },
          onEnd: { continuation.finish() })
        handle.watch { $0.add(watcher) }
        let yield = body(reading: .found { [weak handle] in handle?.inPassing }) {
          continuation.yield($0)
        }
        let token = observe {
          _ = moves.wrappedValue
          yield()
        }
        continuation.onTermination = { [weak handle] _ in
          token.cancel()
          handle?.watch { $0.remove(watcher) }
        }
      }
    }
  }

  extension Handle {
    /// A handle of the same value. An observer that reads it depends on the value but not on this
    /// handle, which it would retain.
    fileprivate final var inPassing: Handle {
      Handle(Scheduler.current.with(nil) { reference })
    }
  }
#endif

#if hasFeature(Embedded)
  /// The source of a publisher's values.
  struct PublisherSource {
    private let kept: Handle

    static func kept(_ handle: Handle) -> Self { Self(kept: handle) }

    /// Returns the value. The caller retains the handle, so no reference is counted for it.
    @inline(__always)
    func value<Value>() -> Value? {
      Unmanaged.passUnretained(kept)._withUnsafeGuaranteedRef {
        let value: Value = $0.valueInCaller()
        return value
      }
    }
  }
#else
  /// The source of a publisher's values.
  enum PublisherSource {
    case kept(Handle)
    /// The handle that a closure returns, nil if that is gone.
    case found(() -> Handle?)

    /// Returns the value, nil if the handle is gone.
    func value<Value>() -> Value? {
      let handle: Handle? =
        switch self {
        case .kept(let handle): handle
        case .found(let find): find()
        }
      guard let handle else { return nil }
      let value: Value = handle.value()
      return value
    }
  }
#endif
