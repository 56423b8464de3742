// The function that a page calls; see CHost.h. Natively there is no page.

import SharingCore
import WasiStorage

/// An engine of the page has sent the message in the inbox.
@_expose(wasm, "sharing_engine_event")
@c(sharing_engine_event)
public func engineEvent(_ byteCount: Int32) {
  EngineCalls.onMessage?(Inbox.bytes(byteCount))
}
