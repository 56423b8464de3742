/// A place in a ``SharingEnvironment`` for one object of another module, such as a default store.
///
/// Declare it once, as a static constant. Slots are the same if their declarations are: the file,
/// the line and the column, and the type of the object.
///
/// ```swift
/// static let localStore = SharingEnvironmentSlot<MemoryStore> { MemoryStore() }
/// ```
/// The address of a static object is no identity: in WebAssembly, each module of a program may have
/// its own copy of the object.
public struct SharingEnvironmentSlot<Member: AnyObject>: Sendable {
  let id: SlotID
  let make: @Sendable () -> Member

  /// A slot with the identity of its declaration.
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

  /// Whether both name one declaration. The texts are compared: a module may have its own copy.
  static func == (left: SlotID, right: SlotID) -> Bool {
    left.line == right.line && left.column == right.column
      && UTF8Text(stringLiteral: left.fileID) == UTF8Text(stringLiteral: right.fileID)
  }
}
