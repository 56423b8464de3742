import SharingCore
import WasiStorage

/// The text of a value's default, which is not stored.
enum DefaultText {
  /// There is no value in memory, or a key that is built on this one has it.
  case unknown
  /// Nil if the default is stored as no item.
  case known([UInt8]?)

  var isKnown: Bool {
    if case .known = self { true } else { false }
  }

  /// The text; nil if it is unknown, too.
  var bytes: [UInt8]? {
    if case .known(let bytes) = self { bytes } else { nil }
  }

  /// Whether nil has a text: the default is another value, or may be one (rule R17).
  var storesNil: Bool { !isKnown || bytes != nil }
}

extension CommittedValue {
  /// Records the default at an address.
  func noteDefault(_ initialValue: UnsafeRawPointer) {
    let text: DefaultText =
      switch coding.ownText(of: initialValue, storesNil: false) {
      case .success(let bytes): .known(bytes)
      case .failure: .unknown
      }
    committer.lock.withLock { defaultText = text }
  }

  /// Records the default of a key that is built on this one.
  func noteDefault<Value>(of context: LoadContext<Value>) {
    guard case .initialValue(let value) = context else { return }
    withUnsafePointer(to: value) { noteDefault($0) }
  }
}
