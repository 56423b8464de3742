import SharingCore
import WasiStorage

/// What libFuzzer calls with bytes of its making: whatever they are, the codec answers or throws.
@c(LLVMFuzzerTestOneInput)
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  // An array of just these bytes, so that the address sanitizer sees a step beyond them.
  let bytes = [UInt8](UnsafeBufferPointer(start: start, count: count))
  let isJSON = check(
    Anything.self, Array("{\"\":".utf8) + bytes + [UInt8(ascii: "}")], mustFail: false)
  _ = check(Everything.self, bytes, mustFail: !isJSON)
  _ = check([Everything].self, bytes, mustFail: !isJSON)
  _ = check([[Anything]].self, bytes, mustFail: !isJSON)
  _ = check([Double].self, bytes, mustFail: !isJSON)
  _ = check([Float?].self, bytes, mustFail: !isJSON)
  _ = check([Int8].self, bytes, mustFail: !isJSON)
  _ = check([String].self, bytes, mustFail: !isJSON)
  _ = check(Tree.self, bytes, mustFail: !isJSON)
  return 0
}

/// Decodes; what can be decoded must come back from what it is encoded as.
/// - Parameter mustFail: Whether the bytes are known to be no JSON at all.
/// - Returns: Whether the bytes are a value of the type.
private func check<Value: JSONValue>(
  _ type: Value.Type, _ bytes: [UInt8], mustFail: Bool
) -> Bool {
  let value: Value
  do {
    value = try JSON.decode(type, from: bytes)
  } catch {
    require(error.offset >= 0 && error.offset <= bytes.count)
    require(!error.description.utf8.isEmpty)
    return false
  }
  require(!mustFail)
  // Strings of the same text may differ in their bytes, so that texts are compared.
  let text = encode(value)
  require(text == encode(decode(type, text)))
  var updated = _EncodedJSON()
  _ = try? updated.update(to: value)
  require(updated.holds(text))
  checkChange(of: value, updated, to: bytes)
  for seed in 0..<4 { checkChange(of: value, updated, to: rearranged(text, seed + bytes.count)) }
  return true
}

/// Other bytes read over a value must give what all of them decoded gives, or its error.
private func checkChange<Value: JSONValue>(
  of value: Value, _ text: _EncodedJSON, to bytes: [UInt8]
) {
  var (changed, text, changes) = (value, text, ElementChanges.anything)
  do {
    changes = try text.read(bytes, into: &changed)
  } catch {
    require(error == failure(Value.self, bytes))
    require(encode(changed) == encode(value))
    return
  }
  require(encode(changed) == encode(decode(Value.self, bytes)))
  // The text that was read, or, where that was decoded as a whole, what is written.
  require(text.holds(bytes) || changes == .anything && text.holds(encode(changed)))
}

/// The text with one part of it in place of another.
private func rearranged(_ text: [UInt8], _ seed: Int) -> [UInt8] {
  var state = UInt64(seed)
  func place() -> Int {
    for byte in text { state = (state ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return Int((state >> 8) % UInt64(text.count + 1))
  }
  let (one, other, start, end) = (place(), place(), place(), place())
  return Array(text[..<min(one, other)]) + text[min(start, end)..<max(start, end)]
    + text[max(one, other)...]
}

private func failure<Value: JSONValue>(_ type: Value.Type, _ bytes: [UInt8]) -> JSONError? {
  do {
    _ = try JSON.decode(type, from: bytes)
    return nil
  } catch {
    return error
  }
}

private func encode(_ value: some JSONValue) -> [UInt8] {
  do {
    return try JSON.encode(value)
  } catch {
    fatalError("what was decoded cannot be encoded")
  }
}

private func decode<Value: JSONValue>(_ type: Value.Type, _ bytes: [UInt8]) -> Value {
  do {
    return try JSON.decode(type, from: bytes)
  } catch {
    fatalError("what was encoded cannot be decoded")
  }
}

private func require(_ condition: Bool) {
  if !condition { fatalError("an invariant does not hold") }
}
