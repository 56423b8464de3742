import CHost
import SharingCore
import WasiStorage

// The program in a page: what the page calls, once it has checked `sharing_abi_version`.

nonisolated(unsafe) private var app: App?

/// Shows the state for the first time.
@_expose(wasm, "sharing_start")
@c(sharing_start)
public func start() {
  SharingEnvironment.current.onIssue = { issue in
    let text = issue.text.bytes
    let level = issue.severity == .fatal ? SHARING_LEVEL_FATAL : SHARING_LEVEL_ISSUE
    _ = sharing_console_write(Int32(level), text, Int32(text.count))
  }
  app = App(on: .browser)
  batch { app?.show() }
}

/// A person has done something: its name is in the inbox, and after it a text, if there is one.
@_expose(wasm, "sharing_page_event")
@c(sharing_page_event)
public func pageEvent(_ nameByteCount: Int32, _ valueByteCount: Int32) {
  let name = Inbox.bytes(nameByteCount)
  let text = Inbox.bytes(max(0, valueByteCount), from: nameByteCount)
  // Refused is only what somebody else has taken away meanwhile, and then that is shown.
  batch { app?.actions.named(name)?.run(with: text) }
}
