// What is observed by code on an actor: it runs on that actor. Embedded Swift for wasm has none.
#if !hasFeature(Embedded)
  /// Runs a closure now, and again whenever something that it has read of shared state changes, on
  /// the caller's actor.
  ///
  /// ```swift
  /// @MainActor final class Screen {
  ///   @Shared(.localStorage("count")) var count = 0
  ///   lazy var token = observe { [unowned self] in label.text = "\(count)" }
  /// }
  /// ```
  /// See the other `observe` for what holds in general. A change that is made elsewhere, or where
  /// the concurrency runtime does not know of the actor (a bare callback of a queue), is seen as
  /// soon as the actor is free: once for all changes until then.
  /// - Parameters:
  ///   - isolation: The actor; the caller's own, and nil where it has none.
  ///   - apply: What is run.
  /// - Returns: A token; the observation ends when it is cancelled or dropped.
  public func observe(
    isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID, line: UInt = #line, _ apply: @escaping () -> Void
  ) -> ObservationToken {
    ObservationToken(ObserverIsolation(isolation), at: CallSite(fileID: fileID, line: line), apply)
  }

  extension SharedPublisher {
    /// Calls a closure with the value at once, and again after each turn in which it has changed,
    /// on the caller's actor; see the other `sink`.
    /// - Parameters:
    ///   - isolation: The actor; the caller's own, and nil where it has none.
    ///   - receiveValue: Receives the value.
    /// - Returns: A token; the closure is called until it is cancelled or dropped.
    public func sink(
      isolation: isolated (any Actor)? = #isolation,
      fileID: StaticString = #fileID, line: UInt = #line,
      _ receiveValue: @escaping (Output) -> Void
    ) -> ObservationToken {
      let site = CallSite(fileID: fileID, line: line)
      return ObservationToken(ObserverIsolation(isolation), at: site, body(of: receiveValue))
    }
  }

  extension SharedReadable where Value: RandomAccessCollection & MutableCollection {
    /// Calls a closure with a collection at once, and again after each turn in which it has
    /// changed, on the caller's actor; see the other `observeElements`.
    /// - Parameters:
    ///   - isolation: The actor; the caller's own, and nil where it has none.
    ///   - apply: Receives the collection and what has happened.
    /// - Returns: A token; the closure is called until it is cancelled or dropped.
    public func observeElements(
      isolation: isolated (any Actor)? = #isolation,
      fileID: StaticString = #fileID, line: UInt = #line,
      _ apply: @escaping (_ elements: Value, _ changes: ElementChanges) -> Void
    ) -> ObservationToken {
      let site = CallSite(fileID: fileID, line: line)
      return observeElements(ObserverIsolation(isolation), at: site, apply)
    }
  }
#endif
