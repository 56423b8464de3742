// Observation. Natively, closures run on the actor of the code that begins to observe. Embedded
// Swift for wasm has no actors.
#if hasFeature(Embedded)
  /// Runs a closure now, and again when shared state that it read changes.
  ///
  /// ```swift
  /// let token = observe { label.text = "\(count)" }
  /// ```
  /// It runs once for each ``batch(_:)``, when the outermost one ends. It may change state, and
  /// begin or end observations.
  /// - Returns: A token; cancelling or dropping it ends the observation.
  public func observe(
    fileID: StaticString = #fileID, line: UInt = #line, _ apply: @escaping () -> Void
  ) -> ObservationToken {
    ObservationToken(ObserverIsolation(), at: CallSite(fileID: fileID, line: line), apply)
  }

  extension SharedPublisher {
    /// Calls a closure with the value at once, and again after each turn that changes it.
    ///
    /// ```swift
    /// $count.publisher.sink { print($0) }.store(in: &tokens)
    /// ```
    /// - Returns: A token; cancelling or dropping it ends the calls.
    public func sink(
      fileID: StaticString = #fileID, line: UInt = #line,
      _ receiveValue: @escaping (Output) -> Void
    ) -> ObservationToken {
      let site = CallSite(fileID: fileID, line: line)
      return ObservationToken(ObserverIsolation(), at: site, body(of: receiveValue))
    }
  }

  extension SharedReadable where Value: RandomAccessCollection & MutableCollection {
    /// Calls a closure with the collection at once, and again with the changes of its elements
    /// after each turn that changes it.
    ///
    /// ```swift
    /// let token = $todos.observeElements { todos, changes in … }
    /// ```
    /// - Returns: A token; cancelling or dropping it ends the calls.
    public func observeElements(
      fileID: StaticString = #fileID, line: UInt = #line,
      _ apply: @escaping (_ elements: Value, _ changes: ElementChanges) -> Void
    ) -> ObservationToken {
      observeElements(ObserverIsolation(), at: CallSite(fileID: fileID, line: line), apply)
    }
  }
#else
  /// Runs a closure now, and again when shared state that it read changes.
  ///
  /// ```swift
  /// let token = observe {
  ///   label.text = "\(count)"
  /// }
  /// ```
  /// - The closure runs once for each ``batch(_:)``, and only for the parts that it reads: a
  ///   closure that reads `$user.name` does not run again for `$user.age`.
  /// - It may change state, and begin or end observations. If it does not settle after 100 runs, an
  ///   issue is reported, and it does not run again until the next turn.
  /// - It runs when the outermost batch of the changing thread ends, outside every lock. If code on
  ///   an actor calls `observe`, such as a method of a `@MainActor` type, the closure runs on that
  ///   actor: on the main actor when the batch ends for a change that is made there. Every other
  ///   change is observed as soon as the actor is free, once for all changes until then. All other
  ///   closures run on the changing thread: capture only state that is safe to use there.
  /// - It never runs on two threads at once. A thread that finds it running leaves the next run to
  ///   the other thread.
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
    /// Calls a closure with the value at once, and again after each turn that changes it.
    ///
    /// ```swift
    /// var tokens: Set<ObservationToken> = []
    /// $count.publisher.sink { print($0) }.store(in: &tokens)
    /// ```
    /// Unlike in ``observe(isolation:fileID:line:_:)``, the closure's reads of other shared values
    /// are not observed. It runs on the same thread or actor as there.
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
  }

  extension SharedReadable where Value: RandomAccessCollection & MutableCollection {
    /// Calls a closure with the collection at once, and again with the changes of its elements
    /// after each turn that changes it, on the caller's actor. Use it to keep one object for each
    /// element, such as a row on the screen.
    ///
    /// ```swift
    /// let token = $todos.observeElements { todos, changes in
    ///   switch changes {
    ///   case .changed(let positions):
    ///     for position in positions { rows[position] = Row(todos[position]) }
    ///   case .removed(let position): rows.remove(at: position)
    ///   case .anything: rows = todos.map { Row($0) }
    ///   }
    /// }
    /// ```
    /// Single changes are reported if they were made through `$todos[id:]` or `$todos[0]`, or by
    /// `append` and `remove(id:)`: up to 100 in a turn, or one removal.
    /// - Parameters:
    ///   - isolation: The actor; by default the caller's, nil if it has none.
    ///   - apply: Receives the collection and its changes, at first ``ElementChanges/anything``.
    ///     Its reads of other shared values are not observed.
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
