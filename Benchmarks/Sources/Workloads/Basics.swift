import SharingCore

extension Workload {
  /// Reads and changes of one value and of its part.
  public static let basics = [
    Workload("read wrappedValue") {
      let count = Shared(value: 0)
      let seen = Seen()
      return { for _ in 0..<$0 { seen.value = count.wrappedValue } }
    },
    Workload("withLock, value:, no observer") {
      let count = Shared(value: 0)
      return { for _ in 0..<$0 { count.withLock { $0 += 1 } } }
    },
    Workload("withLock, value:, read before") {
      let count = Shared(value: 0)
      Seen().value = count.wrappedValue
      return { for _ in 0..<$0 { count.withLock { $0 += 1 } } }
    },
    Workload("withLock, .inMemory, no observer") {
      let count = Shared(wrappedValue: 0, .inMemory("no observer"))
      return { for _ in 0..<$0 { count.withLock { $0 += 1 } } }
    },
    Workload("withLock, .inMemory, read before") {
      let count = Shared(wrappedValue: 0, .inMemory("read before"))
      Seen().value = count.wrappedValue
      return { for _ in 0..<$0 { count.withLock { $0 += 1 } } }
    },
    Workload("derived read, $user.age") {
      let user = Shared(value: User())
      let seen = Seen()
      return { for _ in 0..<$0 { seen.value = user.age.wrappedValue } }
    },
    Workload("derived write, $user.age") {
      let user = Shared(value: User())
      return { for _ in 0..<$0 { user.age.withLock { $0 += 1 } } }
    },
  ]
}
