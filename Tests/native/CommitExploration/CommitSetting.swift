/// A beginning of explorations, with the possible events: two programs over one store.
struct CommitSetting {
  let name: StaticString
  /// The releases of the programs.
  var releases = [Release.newer, .newer]
  var keys = [ExploredKey.score]
  /// The possible changes.
  var changes = [CommitEvent.add]
  /// The other possible events.
  var events: [CommitEvent]
  /// The steps before the exploration. At first, no program runs.
  var beginning: StaticString = "start 0; start 1; rest"
  /// The maximum number of changes in all, of failures, of ends, of times without room, of damages,
  /// of loads; with those of the beginning.
  var changeLimit = 3
  var faultLimit = 1
  var killLimit = 1
  var fullLimit = 1
  var damageLimit = 1
  var loadLimit = 1
  /// Whether the loads of a starting program are answered at once.
  var startsLoaded = true
  /// Whether a commit can be repeated in the store's transaction.
  var rebases = false
  /// Whether each record has the steps of its clients.
  var keepsStepsInRecords = false
  /// Whether the older release can read the notes of the newer one, which have a member more.
  var sharesNotes = false
  /// Whether programs are notified of their own commits, too.
  var echoes = false

  /// The newest of the releases.
  var newest: Release { releases.contains(.newer) ? .newer : .older }

  static let all = ofOneRelease + ofTwoReleases
}
