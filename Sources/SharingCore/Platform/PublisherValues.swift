#if !hasFeature(Embedded)
  extension SharedPublisher where Value: Sendable {
    /// The value now, and after each change, as an asynchronous sequence.
    ///
    /// ```swift
    /// for await count in $count.publisher.values { print(count) }
    /// ```
    /// A reader that is slower than the changes gets the newest value and not those in between. The
    /// sequence goes on until the task that reads it is cancelled.
    public var values: AsyncStream<Value> {
      AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
        let token = sink { continuation.yield($0) }
        continuation.onTermination = { _ in token.cancel() }
      }
    }
  }
#endif
