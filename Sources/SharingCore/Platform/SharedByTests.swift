// Tests that share state because they have no environment of their own; in wasm there are no tests.
#if hasFeature(Embedded)
  extension SharingEnvironment {
    /// Does nothing.
    static func willMakeKeyedValue(at site: CallSite) {}
  }
#else
  import Synchronization

  extension SharingEnvironment {
    private static let isReported = Atomic(false)

    /// Says once that tests share what is about to be made, if they do.
    static func willMakeKeyedValue(at site: CallSite) {
      guard isTesting, scoped == nil, !isReported.exchange(true, ordering: .relaxed) else { return }
      program.report(
        SharingIssue(
          """
          A value with a key is made in a test that has no environment of its own, so tests share \
          it: what one leaves behind, the next one finds. Give tests the trait of the module \
          SharingTesting, @Suite(.sharing) or @Test(.sharing), or an XCTestCase withSharing { }.
          """, at: site))
    }
  }
#endif
