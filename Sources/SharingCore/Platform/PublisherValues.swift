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
        let subscriber = Subscriber(handle.inPassing, areEqual) { continuation.yield($0) }
        let token = observe { [weak handle] in
          _ = moves.wrappedValue
          guard let handle else { return }
          subscriber.handle = handle.inPassing
          subscriber.notify()
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
