/// A handle that follows another one until it is pointed elsewhere itself.
final class FollowingHandle: Handle, @unchecked Sendable {
  private let base: Handle

  init(_ base: Handle) {
    self.base = base
    super.init(nil)
  }

  override var followed: Handle? { base }
}
