import SharingCore
import SimulatedPrograms
import WasiStorage

/// Returns the texts of a list of replaced values, joined by commas; nil if there is no list.
func replacedTexts(_ list: [UInt8]?) -> UTF8Text? {
  guard let list, let losses = try? JSON.decode([Loss].self, from: list) else { return nil }
  var joined: UTF8Text = ""
  for loss in losses { joined += joined.isEmpty ? loss.text : ", \(loss.text)" }
  return joined
}

/// Whether a text is in a list of replaced values.
func isReplaced(_ text: [UInt8], in list: [UInt8]?) -> Bool {
  let losses = list.flatMap { try? JSON.decode([Loss].self, from: $0) } ?? []
  return losses.contains { $0.text.bytes == text }
}

@Stored private struct Loss {
  var text: UTF8Text = ""
}

extension Programs {
  /// Returns the texts that are kept under `<key>.replaced`, joined; nil if there is no list.
  func replaced(_ key: UTF8Text) -> UTF8Text? { replacedTexts(text("\(key).replaced")?.bytes) }
}

extension ScriptedStore {
  /// Returns the texts that are kept under `<key>.replaced`, joined; nil if there is no list.
  func replaced(_ key: String) -> String? {
    let list = self["\(key).replaced"].map { KeyName($0).bytes }
    return replacedTexts(list)?.description
  }
}
