import SharingCore
import WasiStorage

/// A plain key whose value a key over a revision store takes over, once.
final class AdoptedKey: Sendable {
  let item: StoredItem
  let coding: AnyStorageCoding

  init(_ item: StoredItem, _ coding: AnyStorageCoding) {
    self.item = item
    self.coding = coding
  }

  /// Returns the plain key's bytes in another coding; nil if nothing is stored.
  /// - Parameter storesNil: Whether nil has bytes, since the default is another value.
  func text(in newCoding: AnyStorageCoding, storesNil: Bool) -> Result<[UInt8]?, StorageError> {
    do throws(AnyError) {
      guard let bytes = try item.store.slot(for: item.name).read().bytes else {
        return .success(nil)
      }
      var converted: Result<[UInt8]?, AnyError> = .success(nil)
      try coding.decode(bytes) { converted = newCoding.ownText(of: $0, storesNil: storesNil) }
      let text = try converted.get()
      let (known, unknown) = try coding.parts(of: bytes)
      guard let text, let unknown, text == known else { return .success(text) }
      return .success(unknown.added(to: text, newCoding))
    } catch {
      return .failure(StorageError.from(error, otherwise: .corrupt(offset: 0)).of(item.name))
    }
  }
}
