/// Tells another framework which values its views have read, and when these change.
///
/// A subclass passes the calls on to the framework's own tracking. Each value has a tracker of its
/// own, which ``SharingEnvironment/makeReadTracker`` makes:
///
/// ```swift
/// final class ViewTracker: ReadTracker {
///   let registrar = Registrar()  // the framework's
///
///   override func didRead() { registrar.access() }
///   override func willChange() { registrar.willSet() }
///   override func didChange() { registrar.didSet() }
/// }
///
/// SharingEnvironment.current.makeReadTracker = { ViewTracker() }
/// ```
/// Natively, Swift's Observation works without one. Embedded Swift for WebAssembly has no
/// Observation.
open class ReadTracker {
  /// A tracker that does nothing.
  public init() {}

  /// Called at each read of the value or of a part of it, before the read, on the thread that
  /// reads. What a view has read has to be asked for again if it changes from then on.
  open func didRead() {}

  /// Called before each change of the value or of a part of it, on the thread that changes it; also
  /// when a wrapper that has this value gets another one, and when nothing turns out to change.
  open func willChange() {}

  /// Called after each change, before the turn ends and the value is saved. The value can be read.
  open func didChange() {}
}
