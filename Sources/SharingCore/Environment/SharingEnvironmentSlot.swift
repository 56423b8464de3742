/// The key of another module's object in a ``SharingEnvironment``, such as a default store.
///
/// Declare it once, as a static constant. Slots are equal if they have the same declaration (file,
/// line and column) and type of object.
///
/// ```swift
/// static let localStore = SharingEnvironmentSlot<MemoryStore> { MemoryStore() }
/// ```
/// The address of a static object cannot identify a slot: in WebAssembly, each module of a program
/// may have its own copy.
public struct SharingEnvironmentSlot<Member: AnyObject>: Sendable {
  let id: SlotID
  let make: @Sendable () -> Member

  /// Creates a slot with the identity of its declaration.
  /// - Parameters:
  ///   - column: The column of the declaration.
  ///   - make: Makes the object at first use in each environment.
  public init(
    fileID: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
    _ make: @escaping @Sendable () -> Member
  ) {
    id = SlotID(fileID: fileID, line: line, column: column)
    self.make = make
  }
}

/// The declaration of a slot.
struct SlotID: Equatable, Sendable {
  let fileID: StaticString
  let line: UInt
  let column: UInt

  /// Returns whether both are one declaration. Compares the texts: a module may have its own copy.
  static func == (left: SlotID, right: SlotID) -> Bool {
    left.line == right.line && left.column == right.column
      && UTF8Text(stringLiteral: left.fileID) == UTF8Text(stringLiteral: right.fileID)
  }
}
