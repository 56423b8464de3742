// The folders of followed files, and the watches of their paths.
#if !hasFeature(Embedded) && !os(WASI)
  /// A folder, by its path, with the files that are followed in it. The watcher's lock is held.
  final class WatchedFolder {
    private let path: [UInt8]
    private var files: [[UInt8]: [WatchedFile]] = [:]
    private var watches: PathWatches

    init(_ path: [UInt8], _ events: FolderEvents) {
      self.path = path
      watches = PathWatches(to: path, events)
    }

    /// Whether an event reports each change.
    var isWatched: Bool { watches.isWatched }

    func add(_ file: WatchedFile, as name: [UInt8]) {
      files[name, default: []].append(file)
    }

    /// - Returns: Whether no file is left.
    func remove(_ file: WatchedFile, as name: [UInt8]) -> Bool {
      files[name]?.removeAll { $0 === file }
      if files[name]?.isEmpty == true { files[name] = nil }
      return files.isEmpty
    }

    /// Ends the watches.
    func end(_ events: FolderEvents) {
      watches.end(events)
    }

    /// The files that may have changed because of some events.
    func files(changedBy changes: [FolderEvents.Change], _ events: FolderEvents) -> [WatchedFile] {
      if changes.contains(where: { watches.isChanged(by: $0) }) {
        renewWatches(events)
        return all
      }
      let own = changes.filter { $0.watch == watches.folder && isWhole($0) }
      let ofAll = own.isEmpty ? [] : files[[]] ?? []  // a path that ends in a slash
      return Set(own.compactMap { $0.name }).flatMap { files[$0] ?? [] } + ofAll
    }

    /// Looks for the folder again unless all of its path is watched.
    /// - Returns: The files that may have changed.
    func poll(_ events: FolderEvents) -> [WatchedFile] {
      if watches.isWatched { return [] }
      let former = watches
      renewWatches(events)
      return watches.mustPoll || watches != former ? all : []
    }

    /// Makes the new watches first, so that unchanged parts of the path are watched without a gap.
    private func renewWatches(_ events: FolderEvents) {
      let former = watches
      watches = PathWatches(to: path, events)
      former.end(events)
    }

    private func isWhole(_ change: FolderEvents.Change) -> Bool {
      guard change.isCreation, let name = change.name else { return true }
      guard files[name] != nil || files[[]] != nil else { return false }
      return FilePath.isLink(path + [FilePath.slash] + name)
    }

    private var all: [WatchedFile] { files.values.flatMap { $0 } }
  }

  /// The watches of a folder and of all parts of its path. If a folder or symbolic link on the path
  /// is replaced, the path leads to another folder.
  ///
  /// Each part is watched before the next one is looked up, so that no replacement is missed.
  private struct PathWatches: Equatable {
    private struct Step: Equatable {
      let watch: FolderEvents.Watch
      /// The entry whose removal changes the path; empty for the watched folder or link itself.
      let entry: [UInt8]
    }

    private var steps: [Step] = []
    private var links: Set<[UInt8]> = []
    private(set) var isWatched = true
    /// The watch of the folder itself; nil if it is missing or cannot be watched.
    private(set) var folder: FolderEvents.Watch?
    /// Whether files in the folder can be read, but not watched.
    private(set) var mustPoll = false

    init(to path: [UInt8], _ events: FolderEvents) {
      add(path, events)
      folder = watch(path, .files, events)
      mustPoll = folder == nil && FilePath.canSearch(path)
    }

    /// Whether the path may lead elsewhere after an event.
    func isChanged(by change: FolderEvents.Change) -> Bool {
      guard let watch = change.watch else { return true }
      return steps.contains {
        $0.watch == watch && (change.name == nil || change.name == $0.entry && !change.isCreation)
      }
    }

    func end(_ events: FolderEvents) {
      for step in steps { events.unwatch(step.watch) }
    }

    private mutating func add(_ path: [UInt8], _ events: FolderEvents) {
      var part = path.first == FilePath.slash ? [] : [UInt8(ascii: ".")]
      var parent = part
      var last: [UInt8] = []
      for name in path.split(separator: FilePath.slash) {
        parent = part
        last = Array(name)
        part += [FilePath.slash] + last
        _ = watch(part, .itself, events)
        guard links.count < FilePath.linkLimit, let target = FilePath.target(of: part),
          links.insert(part).inserted
        else { continue }
        add(target, events)
      }
      // A removed folder that some program has open does not report its removal; its parent does. A
      // removed parent may not report it either, but it was empty, so this folder was removed
      // before.
      if !last.isEmpty {
        _ = watch(parent.isEmpty ? [FilePath.slash] : parent, .removals, entry: last, events)
      }
    }

    private mutating func watch(
      _ path: [UInt8], _ interest: FolderEvents.Interest, entry: [UInt8] = [],
      _ events: FolderEvents
    ) -> FolderEvents.Watch? {
      guard case .watched(let watch) = events.watch(path, for: interest) else {
        isWatched = false
        return nil
      }
      steps.append(Step(watch: watch, entry: entry))
      return watch
    }
  }
#endif
