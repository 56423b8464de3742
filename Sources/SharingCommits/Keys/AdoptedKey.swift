import SharingCore
import WasiStorage

/// A plain key whose value a key over a revision store takes over, once.
final class AdoptedKey: Sendable {
  private let key: StoredKeyID
  private let coding: AnyStorageCoding

  init(_ key: StoredKeyID, _ coding: AnyStorageCoding) {
    self.key = key
    self.coding = coding
  }

  /// Returns the plain key's bytes in another coding; nil if nothing is stored.
  /// - Parameter storesNil: Whether nil has bytes, since the default is another value.
  func text(in newCoding: AnyStorageCoding, storesNil: Bool) -> Result<[UInt8]?, StorageError> {
    do throws(AnyError) {
      guard let bytes = try key.store.slot(for: key.name).read().bytes else {
        return .success(nil)
      }
      let text = try newCoding.text(of: bytes, in: coding, storesNil: storesNil)
      let (known, unknown) = try coding.parts(of: bytes)
      guard let text, let unknown, text == known else { return .success(text) }
      return .success(unknown.added(to: text, newCoding))
    } catch {
      return .failure(StorageError.from(error, otherwise: .corrupt(offset: 0)).of(key.name))
    }
  }
}

extension AnyStorageCoding {
  /// Converts bytes of another coding to this one.
  /// - Parameter storesNil: Whether nil has bytes, since the default is another value.
  func text(
    of bytes: [UInt8], in coding: AnyStorageCoding, storesNil: Bool
  ) throws(AnyError) -> [UInt8]? {
    var outcome: Result<[UInt8]?, AnyError> = .success(nil)
    try coding.decode(bytes) { outcome = ownText(of: $0, storesNil: storesNil) }
    return try outcome.get()
  }
}
