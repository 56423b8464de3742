import SharingCore
import WasiStorage

/// Applies steps to a value that another program has stored (rules R24, R25).
final class Replay {
  private let encoded: EncodedValue
  private let defaultText: [UInt8]?
  /// Whether nil has a text.
  private let storesNil: Bool
  /// The members of the stored value that its type does not have; after a step, those of its
  /// result.
  private var unknown: UnknownMembers?
  /// Whether the stored value has such members.
  private var hasUnknownMembers = false
  /// The stored value as this program writes it; nil if nothing is stored.
  private(set) var start: [UInt8]?
  /// The result of the steps; nil if nothing is to be stored.
  private(set) var text: [UInt8]?
  /// The text after each step.
  private(set) var texts: [[UInt8]?] = []
  /// The text before the first step that replaces another program's change; nil if none does.
  private(set) var loss: [UInt8]?
  /// The stored bytes and the error, if the bytes do not decode.
  private(set) var corrupt: [UInt8]?
  private(set) var corruption: StorageError?

  /// Whether the result has members that the value's type does not have.
  var resultHasUnknownMembers: Bool { unknown != nil }

  /// - Throws: ``SharingCore/StorageError`` if the stored value must not be overwritten.
  init(
    _ steps: [PendingStep], over stored: StoredRevision?, or defaultText: DefaultText,
    _ encoded: EncodedValue
  ) throws(StorageError) {
    self.encoded = encoded
    self.defaultText = defaultText.bytes
    storesNil = defaultText.storesNil
    do throws(AnyError) {
      if let bytes = stored?.bytes {
        (text, unknown) = try encoded.coding.parts(of: bytes, storesNil: storesNil)
      }
    } catch {
      let error = encoded.coding.decodingError(error, of: stored?.bytes ?? [])
      if case .corrupt = error.reason {
        (corrupt, corruption) = (stored?.bytes, error)
        text = steps.first?.before  // it is still shown, and stored with the step
      } else if steps.contains(where: { $0.change.isReset }) {
        loss = stored?.bytes
      } else {
        throw error
      }
    }
    hasUnknownMembers = unknown != nil
    start = withUnknownMembers(text)
    for step in steps {
      try make(step, isFirst: stored?.revision ?? 0 == 0)
      let result = withUnknownMembers(text)
      texts.append(result)
      keepUnknownMembers(of: result)
    }
    text = texts.last ?? start
  }

  private func withUnknownMembers(_ text: [UInt8]?) -> [UInt8]? {
    guard let text, let unknown else { return text }
    return unknown.added(to: text, encoded.coding)
  }

  /// Forgets the members of removed parts: they must not come back with a part of a later step.
  private func keepUnknownMembers(of text: [UInt8]?) {
    guard unknown != nil else { return }
    unknown = text.flatMap { try? encoded.coding.parts(of: $0).unknown }
  }

  /// Removes members that the value's type does not have, if the stored text has such members: the
  /// result of a step may have them, too.
  private func known(_ text: [UInt8]?) -> [UInt8]? {
    guard let text, hasUnknownMembers else { return text }
    let parts = try? encoded.coding.parts(of: text)
    return parts?.known ?? text
  }

  private func make(_ step: PendingStep, isFirst: Bool) throws(StorageError) {
    switch step.change {
    case .adoption: if isFirst { text = try adopt(step.after) }
    case .updates(let updates): text = try run(updates)
    case .set, .reset:
      let theirs = text ?? defaultText
      let merged = JSONMerge.merge(
        known(step.before) ?? defaultText, known(step.after), theirs, addsNumbers: false
      ) { encoded.coding.decodes($0) }
      text = merged.text
      if merged.hasLoss { loss = loss ?? withUnknownMembers(theirs) }
    }
  }

  /// Returns the type's own text of an adopted value, and records its other members.
  private func adopt(_ adopted: [UInt8]?) throws(StorageError) -> [UInt8]? {
    guard let adopted else { return nil }
    do throws(AnyError) {
      let (known, unknown) = try encoded.coding.parts(of: adopted, storesNil: storesNil)
      self.unknown = unknown
      hasUnknownMembers = unknown != nil
      return known
    } catch {
      throw StorageError.from(error, otherwise: .corrupt(offset: 0))
    }
  }

  private func run(_ updates: [Update]) throws(StorageError) -> [UInt8]? {
    let copy = updates[0].copyOfDefault()
    do throws(AnyError) {
      if let text { try encoded.coding.decode(text) { copy.swap(with: $0) } }
      for update in updates { _ = update.apply(to: copy) }
      var json = _EncodedJSON()
      return try encoded.coding.text(of: copy.address, &json, storesNil: storesNil)
    } catch {
      throw StorageError.from(error, otherwise: .unencodable)
    }
  }
}
