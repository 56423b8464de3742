import SharingCore
import WasiStorage

/// Writes a client's steps in the format of ``JournaledSteps``.
///
/// Writes bytes directly, since each turn writes all uncommitted steps.
struct JournalWriter {
  private var json = JSONWriter()
  private var isEmpty = true
  /// The key, the kind and the result of the last step; no key before the first one.
  private var key: KeyName?
  private var kind = JournaledStep.Kind.set
  private var last: [UInt8]?
  /// The last text of the current key.
  private var former: [UInt8] = []

  init(_ order: Int, after committedStep: Int) {
    try? json.beginArray()
    put(committedStep)
    put(order)
  }

  /// Ends the text.
  /// - Returns: Nil if there is no step.
  mutating func end() -> [UInt8]? {
    json.endArray()
    return isEmpty ? nil : json.bytes
  }

  /// Appends a step; the steps of one key must follow each other.
  mutating func append(_ step: PendingStep, of value: CommittedValue) {
    let isFirst = value.name != key
    put(step.number)
    if !isFirst, kind == step.kind, ItemContents(step.before) == ItemContents(last) {
      put(nil)
    } else {
      if isFirst { (key, former) = (value.name, []) }
      kind = step.kind
      put(kind.rawValue)
      put(value.name.bytes[...])
      put((isFirst ? value.defaultText.bytes : nil)?[...])
      putDifference(step.before)
    }
    putDifference(step.after)
    last = step.after
    isEmpty = false
  }

  private mutating func putDifference(_ text: [UInt8]?) {
    guard let text else {
      for _ in 0..<3 { put(nil) }
      return
    }
    var start = text.withUnsafeBytes { text in former.withUnsafeBytes { text.sameAtStart(as: $0) } }
    var end = text.withUnsafeBytes { text in former.withUnsafeBytes { text.sameAtEnd(as: $0) } }
    end = min(end, min(text.count, former.count) - start)
    // Do not split a character.
    while start > 0, start < text.count, text[start] & 0xC0 == 0x80 { start -= 1 }
    while end > 0, text[text.count - end] & 0xC0 == 0x80 { end -= 1 }
    put(start)
    put(end)
    put(text[start..<text.count - end])
    former = text
  }

  private mutating func put(_ number: Int) {
    json.beginItem()
    json.put("\"")
    number.encode(into: &json)
    json.put("\"")
  }

  private mutating func put(_ text: ArraySlice<UInt8>?) {
    json.beginItem()
    guard let text else { return json.null() }
    text.withUnsafeBufferPointer { json.put(string: $0) }
  }
}
