/// One call of `assert` or `skipChanges`: the part, its value before and its call site.
struct Assertion {
  /// The part in a copy of the value before the change.
  let before: Reference
  private let part: Reference
  private let changes: TrackedChanges
  private let tracked: TrackedCell
  private let firstSite: CallSite?
  private let site: CallSite
  /// The name of the part in messages.
  private let name: UTF8Text

  /// Returns nil and reports a failure if there is nothing to assert.
  init?(of part: Reference, named name: UTF8Text, at site: CallSite) {
    guard let changes = TrackedChanges.inScope else {
      SharingEnvironment.current.onIssue(.notTracked(at: site))
      return nil
    }
    guard let (tracked, firstSite) = changes.tracked(part.cell) else {
      changes.report(.noChange(of: name, at: site))
      return nil
    }
    guard part.counterpart(in: part.cell) != nil,
      let before = part.counterpart(in: tracked.before)
    else {
      changes.report(.partIsMissing(name, at: site))
      return nil
    }
    self.before = before
    self.part = part
    self.changes = changes
    self.tracked = tracked
    self.firstSite = firstSite
    self.site = site
    self.name = name
  }

  /// Makes the part's current value the new start, which `body` writes to the copy.
  func acceptCurrentValue(_ body: (UnsafeMutableRawPointer) -> Void) {
    tracked.before.lock.withLock { before.withAddress(.changing, body) }
    changes.forget(part, of: tracked)
  }

  func reportNoChange() {
    changes.report(.noChange(of: name, at: site))
  }

  /// - Parameters:
  ///   - expected: The difference between the asserted and the actual value.
  ///   - change: The difference between the value before and the actual value.
  func reportMismatch(expected: UTF8Text, change: UTF8Text) {
    let origin: UTF8Text = firstSite.map { ", first changed at \($0.text)," } ?? ""
    changes.report(
      SharingIssue("This \(name)\(origin) is not what was asserted.\(expected)\(change)", at: site))
  }
}

extension TrackedCell {
  var unassertedIssue: SharingIssue {
    SharingIssue(
      """
      This change of a \(name) was not asserted.\(difference)\
      Assert it with '$value.assert { … }', or skip it with '$value.skipChanges()'.\(declaration)
      """, at: firstSite)
  }
}

extension SharingIssue {
  fileprivate static func notTracked(at site: CallSite) -> SharingIssue {
    SharingIssue(
      """
      Nothing tracks changes here, so there is nothing to assert. Make the change, and assert it, \
      in 'SharedChangeTracker().track { … }', or in a test with the trait \
      '.sharing(exhaustivity: .on)'.
      """, at: site)
  }

  fileprivate static func noChange(of name: UTF8Text, at site: CallSite) -> SharingIssue {
    SharingIssue("A change of this \(name) was expected, but there was none.", at: site)
  }

  fileprivate static func partIsMissing(_ name: UTF8Text, at site: CallSite) -> SharingIssue {
    SharingIssue(
      """
      This \(name) did not exist before the change, or does not exist now. Assert the value that \
      contains it.
      """, at: site)
  }
}
