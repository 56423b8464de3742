// The functions that a page calls; see CHost.h. Natively there is no page.
#if arch(wasm32)
  import CHost

  /// The program's `main`, which `@main` before a ``PageApp`` makes.
  @_extern(c, "__main_argc_argv")
  private func programMain(_ count: Int32, _ words: UnsafeMutableRawPointer?) -> Int32

  /// Starts the program in a page and shows the state for the first time. The page has checked
  /// `sharing_abi_version` before.
  @_expose(wasm, "sharing_start")
  @c(sharing_start)
  public func _start() {
    SharingEnvironment.current.onIssue = { issue in
      let text = issue.text.bytes
      let level = issue.severity == .fatal ? SHARING_LEVEL_FATAL : SHARING_LEVEL_ISSUE
      _ = sharing_console_write(Int32(level), text, Int32(text.count))
      if issue.severity == .warning { Page.browser.warn(issue.text) }
    }
    Page.isInBrowser = true
    _ = programMain(0, nil)
    if !Page.hasProgram {
      SharingEnvironment.current.onIssue(
        SharingIssue("No program was started. Write @main before the type that is a PageApp."))
    }
  }

  /// Runs an action: its name is in the inbox, followed by a text, if there is one. The name of a
  /// form's action ends with a question mark; its text has the names and texts of the fields,
  /// separated by bytes of 0.
  @_expose(wasm, "sharing_page_event")
  @c(sharing_page_event)
  public func _pageEvent(_ nameByteCount: Int32, _ textByteCount: Int32) {
    var name = Inbox.bytes(nameByteCount)
    let isForm = name.last == UInt8(ascii: "?")
    if isForm { name.removeLast() }
    let text =
      textByteCount < 0 ? nil : UTF8Text(Inbox.bytes(textByteCount, from: nameByteCount))
    var refusal: UTF8Text = ""
    do throws(ActionError) {
      try Page.browser.perform(UTF8Text(name), with: text, isForm: isForm)
    } catch {
      refusal = error.reason
    }
    Page.browser.show(refusal: refusal)
  }
#endif
