extension CommitSetting {
  /// Ends and recoveries, commits in doubt.
  private static let doubts: [CommitEvent] = [
    .deliver, .refuse, .lose, .late, .notice, .wait, .kill, .start,
  ]
  /// Each message is delivered on its own, in any order.
  private static let messages: [CommitEvent] = [.load, .arrive, .answer, .notice]

  /// The browser's storage is full, and has room again.
  private static let full: [CommitEvent] = [
    .deliver, .lose, .notice, .wait, .kill, .start, .full, .room,
  ]

  static let ofOneRelease = [
    CommitSetting(name: "doubt", events: doubts),
    CommitSetting(name: "transactions", events: doubts, rebases: true),
    CommitSetting(name: "loads", events: messages, changeLimit: 2),
    CommitSetting(name: "order", events: messages + [.again, .miss, .lose, .wait], echoes: true),
    CommitSetting(
      name: "starts", events: messages + [.lose, .kill, .start], beginning: "start 0; start 1",
      startsLoaded: false),
    // A program asks which of its steps are stored, and loads, while another one changes the value.
    CommitSetting(
      name: "asking", events: messages,
      beginning: """
        start 0; start 1; rest; add 0; refuse 0; answer 0; add 1; deliver 1; notice 0; load 0; \
        arrive 0; add 1; deliver 1
        """, faultLimit: 1),
    // A program that starts recovers the journal of one that runs: of one value, and of two.
    CommitSetting(
      name: "recovered", events: messages + [.deliver, .lose],
      beginning: "start 0; rest; add 0; add 0; start 1"),
    CommitSetting(
      name: "turns", keys: [.score, .notes], changes: [.add], events: messages + [.deliver, .lose],
      beginning: "start 0; rest; note 0; add 0; start 1"),
    // Two programs that start recover the journal of one that has ended.
    CommitSetting(
      name: "left", events: [.deliver, .refuse, .lose, .notice, .wait, .kill, .start],
      beginning: "start 0; add 0; kill 0; start 0; start 1", changeLimit: 4, killLimit: 2),
    // Turns with changes of two values.
    CommitSetting(
      name: "pairs", keys: [.score, .notes], changes: [.add, .both], events: doubts),
    CommitSetting(
      name: "records", keys: [.score, .notes], changes: [.add, .note, .both], events: doubts,
      keepsStepsInRecords: true),
    // Turns of several threads.
    CommitSetting(name: "threads", events: doubts + [.begin, .finish]),
    CommitSetting(
      name: "threadPairs", keys: [.notes, .score], changes: [.note, .both],
      events: [.deliver, .lose, .notice, .wait, .kill, .start, .load, .begin, .finish]),
    // Something else damages the stored value.
    CommitSetting(name: "damaged", events: doubts + [.damage]),
    CommitSetting(
      name: "damagedPairs", keys: [.notes, .score], changes: [.note, .both],
      events: [.deliver, .lose, .notice, .wait, .kill, .start, .load, .damage]),
    // The browser has no room for a while.
    CommitSetting(name: "full", events: full),
    CommitSetting(
      name: "fullPairs", keys: [.score, .notes], changes: [.add, .both], events: full),
  ]

  private static let older = [Release.older, .newer]

  static let ofTwoReleases = [
    CommitSetting(name: "scores", releases: older, events: doubts),
    CommitSetting(
      name: "lists", releases: older, keys: [.notes], changes: [.note], events: doubts),
    CommitSetting(
      name: "mixed", releases: older, keys: [.score, .notes], changes: [.add, .note, .both],
      events: [.deliver, .lose, .late, .notice, .wait, .kill, .start]),
    // The newer program has stored a value, and the older one changes it.
    CommitSetting(
      name: "older", releases: older, events: messages + [.refuse, .lose, .late, .wait],
      beginning: "start 0; start 1; rest; add 1; rest; add 0"),
    CommitSetting(
      name: "rebased", releases: older, events: [.deliver, .lose, .late, .notice, .wait, .load],
      beginning: "start 0; start 1; rest; add 0; lose 0; answer 0; add 1; deliver 1",
      changeLimit: 4, faultLimit: 2, rebases: true),
    // A change waits, and the newer program reads it, while the older one makes others.
    CommitSetting(
      name: "waiting", releases: older, events: messages + [.deliver],
      beginning: "start 0; start 1; rest; add 1; rest; add 0; deliver 0", changeLimit: 4),
    // A program that starts finds a change of the older one, which has to wait.
    CommitSetting(
      name: "found", releases: older,
      events: [.deliver, .lose, .late, .notice, .wait, .kill, .start],
      beginning: "start 0; start 1; rest; add 1; rest; add 0; kill 1; start 1; deliver 0",
      killLimit: 2),
    // The older one has journaled its change before it receives the newer value.
    CommitSetting(
      name: "journaled", releases: older,
      events: [.deliver, .lose, .late, .notice, .wait, .kill, .start],
      beginning: "start 0; start 1; rest; add 1; deliver 1; add 0; kill 1; start 1; deliver 0",
      killLimit: 2),
    CommitSetting(
      name: "journaledPairs", releases: older, keys: [.score, .notes],
      changes: [.add, .note, .both], events: [.deliver, .lose, .notice, .wait, .load],
      beginning: "start 0; start 1; rest; add 1; deliver 1; both 0", changeLimit: 4),
    // The older one can read the notes of the newer one, which have a member that it lacks.
    CommitSetting(
      name: "members", releases: older, keys: [.notes], changes: [.note], events: doubts,
      sharesNotes: true),
    // These wait with changes of the score.
    CommitSetting(
      name: "journaledNotes", releases: older, keys: [.score, .notes], changes: [.note],
      events: [.deliver, .arrive, .answer, .notice, .load],
      beginning: "start 0; start 1; rest; add 1; deliver 1; both 0; deliver 0", changeLimit: 4,
      loadLimit: 2, sharesNotes: true),
    // Its next changes are of another value.
    CommitSetting(
      name: "journaledFirst", releases: older, keys: [.score, .notes], changes: [.note, .both],
      events: [.deliver, .lose, .notice, .wait, .kill],
      beginning: "start 0; start 1; rest; add 1; deliver 1; add 0; deliver 0", changeLimit: 4),
    // The browser has no room for a while.
    CommitSetting(
      name: "fullWaiting", releases: older,
      events: [.deliver, .lose, .notice, .wait, .full, .room],
      beginning: "start 0; start 1; rest; add 1; rest"),
    // The older program ends while it writes its journals.
    CommitSetting(
      name: "writes", releases: older, events: [.deliver, .lose, .notice, .wait, .doom, .start],
      beginning: "start 0; start 1; rest; add 1; rest"),
    // Something else damages the value of the newer one.
    CommitSetting(
      name: "damagedReleases", releases: older,
      events: [.deliver, .lose, .notice, .wait, .kill, .start, .damage],
      beginning: "start 0; start 1; rest; add 1; rest; add 0"),
    // The newer one has stored something and has ended.
    CommitSetting(
      name: "back", releases: older, keys: [.notes], changes: [.note], events: doubts,
      beginning: "start 1; note 1; rest; kill 1; start 0; rest", changeLimit: 4, killLimit: 2),
    // The older one is restarted with its copy, and starts where the newer one has been.
    CommitSetting(
      name: "forth", releases: older, events: doubts,
      beginning: """
        start 0; add 0; rest; start 1; add 1; rest; kill 1; kill 0; start 0; add 0; rest
        """, changeLimit: 5, killLimit: 4),
  ]
}
