import Foundation
import SharingCore
import SimulatedPrograms

/// A turn of another thread of a program, which stays open until ``end()``.
final class OpenTurn: Sendable {
  private let mayEnd = DispatchSemaphore(value: 0)
  private let hasEnded = DispatchSemaphore(value: 0)

  /// Begins the turn, with a change.
  init(of program: Program, _ change: @escaping @Sendable () -> Void) {
    let isOpen = DispatchSemaphore(value: 0)
    Thread.detachNewThread { [mayEnd, hasEnded] in
      program.run {
        batch {
          change()
          isOpen.signal()
          mayEnd.wait()
        }
      }
      hasEnded.signal()
    }
    isOpen.wait()
  }

  func end() {
    mayEnd.signal()
    hasEnded.wait()
  }
}
