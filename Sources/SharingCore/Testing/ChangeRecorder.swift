/// Who hears of every change before it is made: an abstract class, so that a program without a
/// ``SharedChangeTracker`` links nothing of it. Where this is a protocol, the compiler knows that
/// only one class conforms to it, and links that: 1,130 bytes (gzip) in a counter.
class ChangeRecorder: @unchecked Sendable {
  /// A part of a shared value is about to be changed. The cell's lock is not held.
  func willChange(_ part: Reference, at site: CallSite) {
    fatalError("willChange(_:at:) is overridden")
  }
}
