import SharingCore
import WasiStorage

extension SharedReaderKey {
  /// A value that is kept as JSON and loses no change, in an engine of the page, such as a NATS
  /// server that all browsers share.
  ///
  /// ```swift
  /// extension EngineName {
  ///   static let world: EngineName = "world"
  /// }
  ///
  /// @Shared(.engine("score", in: .world)) var score = 0
  /// $score.update { $0 += 1 }
  /// ```
  /// A change is visible at once. While the engine cannot be reached, the change stays pending,
  /// also over reloads and in other tabs, and `saveError` gives the reason. Each key is committed
  /// by itself: changes to two keys in one turn are not one transaction.
  /// - Parameters:
  ///   - key: The name in the engine, any text.
  ///   - engine: One of the page's engines.
  ///   - old: The key to take the value from, once.
  public static func engine<Value: JSONValue>(
    _ key: String, in engine: EngineName, adopting old: StoredKey<Value>? = nil
  ) -> Self where Self == RevisionKey<Value> {
    RevisionKey(KeyName(key), engine, adopting: old, .json)
  }

  /// A value in an engine of the page, in a custom encoding.
  ///
  /// ```swift
  /// @Shared(.engine("log", in: .world, coding: lines)) var log: [UTF8Text] = []
  /// ```
  /// - Parameters:
  ///   - key: The name in the engine, any text.
  ///   - engine: One of the page's engines.
  ///   - coding: The encoding. A value that is not JSON is one part.
  ///   - old: The key to take the value from, once.
  public static func engine<Value>(
    _ key: String, in engine: EngineName,
    coding: StorageCoding<Value>, adopting old: StoredKey<Value>? = nil
  ) -> Self where Self == RevisionKey<Value> {
    RevisionKey(KeyName(key), engine, adopting: old, coding)
  }
}

extension RevisionKey {
  fileprivate init(
    _ name: KeyName, _ engine: EngineName, adopting old: StoredKey<Value>?,
    _ coding: StorageCoding<Value>
  ) {
    let scope: UTF8Text = "@\(engine.text)/\(name)"
    let isJournaled = EngineCalls.isInPage(engine) || SimulatedStores.currentJournals != nil
    self.init(
      name, .named(".engine"), in: SharingEnvironment.current.engines.store(of: engine, name),
      journaling: isJournaled ? scope : nil, adopting: old, coding)
  }
}
