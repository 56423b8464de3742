/// What links a root to its key: an abstract class, since the root does not know the key's type.
class Persistence: @unchecked Sendable {
  /// Lets the key yield what its store holds now, if that is something new.
  func refresh() { fatalError("refresh() is overridden") }

  /// Loads because somebody asks for it; `done` hears the outcome once.
  func load(_ done: @escaping @Sendable (Result<Void, AnyError>) -> Void) {
    fatalError("load(_:) is overridden")
  }

  /// The root goes: nothing must reach it from now on. Called from its `deinit`.
  func detach(_ root: ObjectIdentifier) { fatalError("detach(_:) is overridden") }
}
