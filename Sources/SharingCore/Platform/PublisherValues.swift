// The values of a publisher as an asynchronous sequence. Embedded Swift has no concurrency.
#if !hasFeature(Embedded)
  extension SharedPublisher where Output: Sendable {
    /// The value now, and after each change, as an asynchronous sequence.
    ///
    /// ```swift
    /// for await count in $count.publisher.values { print(count) }
    /// ```
    /// A reader that is slower than the changes gets the newest value and skips those in between.
    /// The sequence retains the value, and ends when the reading task is cancelled.
    public var values: AsyncStream<Output> {
      AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
        let token = sink { continuation.yield($0) }
        continuation.onTermination = { _ in token.cancel() }
      }
    }
  }
#endif
