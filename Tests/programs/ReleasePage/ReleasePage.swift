import SharingPage

extension EngineName {
  fileprivate static let world: EngineName = "world"
}

/// The page of one value, for three releases of one app. The page's address has the store and the
/// name of the value: `#indexedDB/notes`.
///
/// The page shows the value as JSON, as this release reads it. The event `set` replaces it by
/// another JSON, `add` adds an element to a list or a number to a number.
public struct ReleasePage {
  private let page: Page
  private let store: UTF8Text
  /// The name of the value.
  public let name: UTF8Text

  /// Reads the address.
  public init(_ page: Page) {
    @Shared(.locationHash) var address: UTF8Text = ""
    let parts = address.bytes.split(separator: UInt8(ascii: "/"), maxSplits: 1)
    self.page = page
    store = UTF8Text(Array(parts[0]))
    name = UTF8Text(Array(parts[1]))
  }

  /// Shows a list.
  public func showList<Element: JSONValue & Sendable>(
    of type: Element.Type, version: Int = 1, migrations: [StorageMigration] = []
  ) {
    let list = show([Element](), version, migrations)
    page.on("add", "JSON") { text throws(ActionError) in
      let element: Element = try decoded(text)
      list.update { $0.append(element) }
    }
  }

  /// Shows a whole number.
  public func showNumber(version: Int = 1, migrations: [StorageMigration] = []) {
    let number = show(0, version, migrations)
    page.on("add", "JSON") { text throws(ActionError) in
      let difference: Int = try decoded(text)
      number.update { $0 += difference }
    }
  }

  /// Shows a text.
  public func showText(version: Int = 1, migrations: [StorageMigration] = []) {
    _ = show("" as UTF8Text, version, migrations)
  }

  private func show<Value: JSONValue & Sendable>(
    _ initial: Value, _ version: Int, _ migrations: [StorageMigration]
  ) -> Shared<Value> {
    let value = shared(initial, version, migrations)
    page.bind("value") { UTF8Text((try? JSON.encode(value.wrappedValue)) ?? []) }
    page.bind("saving") { value.isSaving ? "saving" : "" }
    page.bindErrors(of: value)
    page.on("set", "JSON") { text throws(ActionError) in
      let new: Value = try decoded(text)
      value.withLock { $0 = new }
    }
    page.on("reset") { value.reset() }
    return value
  }

  private func shared<Value: JSONValue & Sendable>(
    _ initial: Value, _ version: Int, _ migrations: [StorageMigration]
  ) -> Shared<Value> {
    let key = String(decoding: name.bytes, as: UTF8.self)
    return switch store {
    case "localStorage":
      Shared(wrappedValue: initial, .localStorage(key, version: version, migrations: migrations))
    case "world":
      Shared(
        wrappedValue: initial,
        .engine(
          "public.\(key)", in: .world,
          coding: .json(version: version, migrations: migrations)))
    default:
      Shared(wrappedValue: initial, .indexedDB(key, version: version, migrations: migrations))
    }
  }

  private func decoded<Value: JSONValue>(_ text: UTF8Text) throws(ActionError) -> Value {
    guard let value = try? JSON.decode(Value.self, from: text.bytes) else {
      throw ActionError("This release cannot read \(text).")
    }
    return value
  }
}
