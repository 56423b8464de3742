import WasiStorage

/// What libFuzzer calls with bytes of its making: whatever they are, the codec answers or throws.
@c(LLVMFuzzerTestOneInput)
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  // An array of just these bytes, so that the address sanitizer sees a step beyond them.
  let bytes = [UInt8](UnsafeBufferPointer(start: start, count: count))
  let isJSON = check(Anything.self, bytes, mustFail: false)
  _ = check(Everything.self, bytes, mustFail: !isJSON)
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
  var updated = EncodedJSON()
  _ = try? updated.update(to: value)
  require(updated.holds(text))
  return true
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
