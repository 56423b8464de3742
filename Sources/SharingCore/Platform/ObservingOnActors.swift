// The forms of observation for code on an actor: closures run on that actor. Embedded Swift for
// wasm has no actors.
#if !hasFeature(Embedded)
  /// Runs a closure now, and again when shared state that it read changes, on the caller's actor.
  ///
  /// ```swift
  /// @MainActor final class Screen {
  ///   @Shared(.localStorage("count")) var count = 0
  ///   lazy var token = observe { [unowned self] in label.text = "\(count)" }
  /// }
  /// ```
  /// The rules of the other `observe` apply. A change on the main actor is observed there when its
  /// batch ends. Every other change is observed as soon as the actor is free, once for all changes
  /// until then.
  /// - Parameters:
  ///   - isolation: The actor; by default the caller's, nil if it has none.
  ///   - apply: The closure to run.
  /// - Returns: A token; cancelling or dropping it ends the observation.
  public func observe(
    isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID, line: UInt = #line, _ apply: @escaping () -> Void
  ) -> ObservationToken {
    ObservationToken(ObserverIsolation(isolation), at: CallSite(fileID: fileID, line: line), apply)
  }

  extension SharedPublisher {
    /// Calls a closure with the value at once, and again after each turn that changes it, on the
    /// caller's actor; see the other `sink`.
    /// - Parameters:
    ///   - isolation: The actor; by default the caller's, nil if it has none.
    ///   - receiveValue: Receives the value.
    /// - Returns: A token; cancelling or dropping it ends the calls.
    public func sink(
      isolation: isolated (any Actor)? = #isolation,
      fileID: StaticString = #fileID, line: UInt = #line,
      _ receiveValue: @escaping (Output) -> Void
    ) -> ObservationToken {
      let site = CallSite(fileID: fileID, line: line)
      return ObservationToken(ObserverIsolation(isolation), at: site, body(of: receiveValue))
    }

    /// Calls a closure with the values, as the other `sink`, in the form of Combine.
    ///
    /// ```swift
    /// let token = $count.publisher.sink(receiveCompletion: { _ in }, receiveValue: { print($0) })
    /// ```
    /// - Parameters:
    ///   - isolation: The actor; by default the caller's, nil if it has none.
    ///   - receiveCompletion: Never called: the values of a publisher have no end.
    ///   - receiveValue: Receives the value.
    /// - Returns: A token; cancelling or dropping it ends the calls.
    public func sink(
      isolation: isolated (any Actor)? = #isolation,
      fileID: StaticString = #fileID, line: UInt = #line,
      receiveCompletion: @escaping (Never) -> Void,
      receiveValue: @escaping (Output) -> Void
    ) -> ObservationToken {
      sink(isolation: isolation, fileID: fileID, line: line, receiveValue)
    }
  }

  extension SharedReadable where Value: RandomAccessCollection & MutableCollection {
    /// Calls a closure with a collection at once, and again after each turn that changes it, on the
    /// caller's actor; see the other `observeElements`.
    /// - Parameters:
    ///   - isolation: The actor; by default the caller's, nil if it has none.
    ///   - apply: Receives the collection and its changes.
    /// - Returns: A token; cancelling or dropping it ends the calls.
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
