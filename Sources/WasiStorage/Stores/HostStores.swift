import CHost
import SharingCore

/// The stores of the host, as in the table of ``DefaultStores``.
package enum HostStores {
  /// - Parameter notice: Set to a message for the user if values last only until the program ends.
  static func local(_ notice: inout UTF8Text?) -> any KeyValueStore {
    switch BrowserStore.local.access {
    case .granted: return BrowserStore.local
    case .denied:
      notice =
        """
        This page is not allowed to store data, so changes last only until it is closed. Allow \
        site data for this page to keep them.
        """
    case .noHost:
      guard hasFilesByDefault else {
        notice = "The program uses no files, so changes last only until it ends."
        break
      }
      if let files = FileStore() { return files }
      notice = noFolder
    }
    return MemoryStore()
  }

  static var noFolder: UTF8Text {
    """
    No folder was given to keep data in, so changes last only until the program ends. Give it \
    one, such as with 'wasmtime run --dir .sharing'.
    """
  }

  static func files() -> any KeyValueStore {
    switch BrowserStore.local.access {
    case .granted: return BrowserStore.local
    case .denied: break
    case .noHost: if hasFilesByDefault, let files = DocumentStore() { return files }
    }
    return MemoryStore()
  }

  /// The name that the page gives to the app; empty if it gives none, or there is no page.
  static var appName: UTF8Text {
    guard BrowserStore.local.access != .noHost,
      let name = GrowingBuffer.read({ sharing_app_name($0, $1) }).bytes
    else { return "" }
    return UTF8Text(name)
  }

  /// Whether an app may have this name; an empty one stands for no name.
  static func isAppName(_ text: UTF8Text) -> Bool {
    (0...64).contains(text.bytes.count)
      && text.bytes.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
          true
        default: false
        }
      }
  }
}
