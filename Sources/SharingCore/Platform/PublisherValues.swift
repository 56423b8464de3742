#if !hasFeature(Embedded)
  extension SharedPublisher where Output: Sendable {
    /// The value now, and after each change, as an asynchronous sequence.
    ///
    /// ```swift
    /// for await count in $count.publisher.values { print(count) }
    /// ```
    /// A reader that is slower than the changes gets the newest value and not those in between. The
    /// sequence ends when the task that reads it is cancelled, and when the wrapper is gone: it does not
    /// keep `count` itself, nor its value unless it compares it. A part that is derived on the way, as
    /// in `$user.name.publisher.values`, it does keep, until the task is cancelled.
    public var values: AsyncStream<Output> {
      AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
        guard box.isOfWholeValue else {
          let token = sink { continuation.yield($0) }
          continuation.onTermination = { _ in token.cancel() }
          return
        }
        let box = WeakReference(box)
        let moves = Shared(value: 0)
        let yield = body(reading: { box.object?.inPassing }) { continuation.yield($0) }
        let token = observe {
          _ = moves.wrappedValue
          yield()
        }
        continuation.onTermination = { _ in token.cancel() }
        self.box.watch(
          onMove: { moves.withLock { $0 &+= 1 } }, onEnd: { continuation.finish() })
      }
    }
  }

  extension Box {
    fileprivate final func watch(
      onMove: @escaping @Sendable () -> Void, onEnd: @escaping @Sendable () -> Void
    ) {
      watch { $0.add(BoxWatch.Watcher(onMove: onMove, onEnd: onEnd), to: self) }
    }

    /// The same value. The observer that reads it through this comes to depend on it, but not on the
    /// box, which it would keep.
    fileprivate final var inPassing: Box {
      Box(Turn.current.withoutObserver { reference })
    }
  }
#endif
