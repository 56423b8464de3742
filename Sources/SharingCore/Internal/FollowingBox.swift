/// A box that points where another one points, until it is pointed elsewhere itself.
final class FollowingBox: Box, @unchecked Sendable {
  private let base: Box

  init(_ base: Box) {
    self.base = base
    super.init(nil)
  }

  override var followed: Box? { base }
}
