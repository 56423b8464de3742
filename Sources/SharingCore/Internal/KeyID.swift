/// A key's id of any hashable type, as a dictionary key: Embedded Swift has no `AnyHashable`.
struct KeyID: Hashable {
  private let box: AnyKeyBox

  init<ID: Hashable>(_ id: ID) {
    box = KeyBox(id)
  }

  static func == (left: KeyID, right: KeyID) -> Bool {
    left.box.isEqual(to: right.box)
  }

  func hash(into hasher: inout Hasher) {
    box.hash(into: &hasher)
  }
}

private class AnyKeyBox {
  func isEqual(to other: AnyKeyBox) -> Bool { fatalError("isEqual(to:) is overridden") }
  func hash(into hasher: inout Hasher) { fatalError("hash(into:) is overridden") }
}

private final class KeyBox<ID: Hashable>: AnyKeyBox {
  private let id: ID

  init(_ id: ID) {
    self.id = id
  }

  override func isEqual(to other: AnyKeyBox) -> Bool {
    guard let other = other as? KeyBox<ID> else { return false }
    return other.id == id
  }

  override func hash(into hasher: inout Hasher) {
    id.hash(into: &hasher)
  }
}
