import CHost
import SharingCore

// The functions that a page calls; see CHost.h for the other direction. They are never called in a
// command.

/// The version of the contract that this program was built with; the page compares it with its own.
@_expose(wasm, "sharing_abi_version")
@c(sharing_abi_version)
package func abiVersion() -> Int32 {
  SHARING_ABI_VERSION
}

/// Makes room for the text of the page's next call.
@_expose(wasm, "sharing_inbox")
@c(sharing_inbox)
package func inbox(_ byteCount: Int32) -> UnsafeMutablePointer<UInt8>? {
  Inbox.reserve(byteCount)
}

/// Another tab has changed the item whose name is in the inbox, or has cleared an area (-1).
@_expose(wasm, "sharing_storage_changed")
@c(sharing_storage_changed)
package func storageChanged(_ area: Int32, _ keyByteCount: Int32) {
  let key = keyByteCount < 0 ? nil : KeyName(bytes: Inbox.bytes(keyByteCount))
  BrowserStore.all[Int(area)].hub.notify(key)
}

/// The page is shown again. A page from the back/forward cache has missed events, so everything is
/// read again.
@_expose(wasm, "sharing_page_shown")
@c(sharing_page_shown)
package func pageShown(_ persisted: Int32) {
  guard persisted != 0 else { return }
  for store in BrowserStore.all { store.hub.notify(nil) }
}

/// The page is hidden or left, perhaps for good: delayed saves are written now. The page calls this
/// more than once, since a browser may stop its script meanwhile.
@_expose(wasm, "sharing_page_hidden")
@c(sharing_page_hidden)
package func pageHidden() {
  SharingEnvironment.current.stores.flush()
}

/// The time of a timer that was set by `sharing_timer_set` has passed.
@_expose(wasm, "sharing_timer_fired")
@c(sharing_timer_fired)
package func timerFired(_ number: Int32) {
  BrowserClock.onTimer?(number)
}

/// A loader begins a call of the program, whose changes are one turn. Calls may be nested.
@_expose(wasm, "sharing_turn_begin")
@c(sharing_turn_begin)
package func turnBegin() {
  beginTurn()
}

/// A loader's call has returned. At the end of the outermost one, observers run and values are
/// saved.
@_expose(wasm, "sharing_turn_end")
@c(sharing_turn_end)
package func turnEnd() {
  endTurn()
}

/// The program's buffer into which the page writes text for its next call.
public enum Inbox {
  nonisolated(unsafe) private static var buffer = UnsafeMutableBufferPointer<UInt8>.allocate(
    capacity: 0)

  /// Returns a copy of bytes in the buffer.
  /// - Parameters:
  ///   - count: The number of bytes, which the page has just written.
  ///   - offset: Where they begin.
  public static func bytes(_ count: Int32, from offset: Int32 = 0) -> [UInt8] {
    Array(UnsafeBufferPointer(rebasing: buffer[Int(offset)..<Int(offset + count)]))
  }

  /// Returns room for at least `count` bytes.
  static func reserve(_ count: Int32) -> UnsafeMutablePointer<UInt8>? {
    if buffer.count < count {
      buffer.deallocate()
      buffer = .allocate(capacity: Int(count))
    }
    return buffer.baseAddress
  }
}
