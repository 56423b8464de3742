import SharingPage

extension EngineName {
  /// The engine that all visitors of the page at `…/?nats=ADDRESS` share.
  static let world: EngineName = "world"
}

/// A count without lost steps: tabs may add to it at the same moment, and so may browsers that
/// share an engine.
struct Tally {
  private static var key: RevisionKey<Int> {
    EngineName.world.isAvailable ? .engine("public.tally", in: .world) : .indexedDB("tally")
  }
  @Shared(Tally.key) private var count = 0

  /// Shows the count and adds its action. On the command line, only this action opens the store.
  static func start(on page: Page) {
    if Page.isInBrowser { Tally().show(on: page) }
    page.on("tally") { Tally().add(on: page) }
  }

  private func show(on page: Page) {
    page.bind("tally") { "\(count)" }
    page.bind("tally-pending") { pendingText }
    page.bindErrors(of: $count)
    if EngineName.world.isAvailable {
      page.bind("tally-connection") {
        let status = EngineName.world.status
        return status.isConnected ? "One count for everybody." : "Offline. \(status.message)"
      }
    }
  }

  private var pendingText: UTF8Text {
    if !$count.isSaving { return "" }
    return EngineName.world.isAvailable ? "\(pendingCount) to go…" : "Saving…"
  }

  private var pendingCount: Int {
    _ = (count, $count.isSaving)
    return Tally.key.commitStatus.pendingCount
  }

  private func add(on page: Page) {
    if page.isTerminal { page.bindErrors(of: $count) }
    $count.update { $0 += 1 }
    if page.isTerminal { page.set("tally", "\(count)") }
  }
}
