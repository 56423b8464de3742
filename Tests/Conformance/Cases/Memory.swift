import SharingCore

extension Case {
  static let memory: [Case] = [
    Case("R8", "what is made and dropped leaves no memory behind") { trial in
      let times = heapEnd() == nil ? 100 : 12_500
      for churn in churns {
        for _ in 1...100 { churn.run() }
        let before = heapEnd()
        for _ in 1...times { churn.run() }
        guard let before, let after = heapEnd() else { continue }
        // heapEnd() itself takes a block of 262 kB; 12,500 of the smallest blocks, of 16 bytes, are
        // 200 kB.
        trial.expect(after - before < 450_000, "\(churn.name): \(after - before) bytes more")
      }
    }
  ]
}

#if arch(wasm32)
  /// The address where unused memory begins. The wasm program's own `malloc` takes a block from
  /// there if no block of its size has been freed. This block is never freed.
  private func heapEnd() -> Int? {
    Int(bitPattern: UnsafeMutableRawPointer.allocate(byteCount: 200_000, alignment: 16))
  }
#else
  /// Known only in a process that does nothing else; see LeakTests.
  private func heapEnd() -> Int? { nil }
#endif
