import SharingCore
import WasiStorage

/// Uses a stored value that has one observer, for Tools/calls.py: a few times, so that what runs
/// once in a program has run, and then once inside a C function, which Callgrind knows by its name.
@main
struct CallProgram {
  static func main() {
    SharingEnvironment.current.stores.local = store
    for _ in 1...3 {
      load()
      watch()
      write()
      changeOutside()
      unload()
    }
    measureFirstLoad()
    watch()
    write()
    measureWrite()
    precondition(seen == 2, "The observer has not seen what was written.")
    measureOutsideChange()
    precondition(seen == 8, "The observer has not seen what another program has stored.")
  }
}

private struct Counter {
  @Shared(.localStorage("count")) var count = 0
}

private let store = MemoryStore()
private let key = KeyName("count")
nonisolated(unsafe) private var counter: Counter?
nonisolated(unsafe) private var token: ObservationToken?
nonisolated(unsafe) private var seen = 0

@c(measure_first_load)
@inline(never)
func measureFirstLoad() { load() }

@c(measure_write)
@inline(never)
func measureWrite() { write() }

@c(measure_outside_change)
@inline(never)
func measureOutsideChange() { changeOutside() }

private func load() {
  counter = Counter()
}

private func watch() {
  token = observe { seen = counter?.count ?? 0 }
}

private func write() {
  counter?.$count.withLock { $0 += 1 }
}

/// As another program over the same store does it.
private func changeOutside() {
  store.set([UInt8(ascii: "8")], for: key)
}

private func unload() {
  token = nil
  counter = nil
  store.remove(key)
}
