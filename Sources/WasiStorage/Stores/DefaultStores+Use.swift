import SharingCore

// What keys take of the default stores: from then on another one comes too late.
extension DefaultStores {
  /// The local store, for a key.
  var localForKey: any KeyValueStore {
    use(.local)
    return local
  }

  /// The session's store, for a key.
  var sessionForKey: any KeyValueStore {
    use(.session)
    return session
  }

  /// The store of the page's address, for a key.
  var locationForKey: any KeyValueStore {
    use(.location)
    return location
  }

  /// The store of documents, for a key.
  var filesForKey: any KeyValueStore {
    use(.files)
    return files
  }

  /// What stands before a path where documents are items among others.
  var filePrefix: String { files === HostStore.local ? "file:" : "" }

  /// The clock, for a key.
  var clockForKey: any SaveClock {
    use(.clock)
    return clock
  }

  /// A bit for each of the defaults.
  enum Member: UInt8 {
    case local = 1
    case session = 2
    case location = 4
    case files = 8
    case clock = 16
  }

  /// Says that a default is set too late.
  @inline(never)
  func reportLate(_ name: StaticString) {
    SharingEnvironment.current.onIssue(
      SharingIssue(
        """
        'stores.\(name)' is set after a key has used the one before, and keys go on with that. Set \
        it first: see prepareSharing.
        """))
  }
}
