import SharingCore
import SharingJSON

// Unavailable declarations whose messages suggest a replacement. Without them, the compiler would
// name the requirements of one of many functions.

extension SharedReaderKey {
  /// Unavailable for a type that cannot be stored.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message:
      "The value's type has no JSON form. Write @Stored in front of the struct or enum; natively, Codable is enough."
  )
  public static func localStorage<Value>(
    _ key: String, prefix: String = "", saving: SaveTiming = .immediately,
    following: StoreFollowing = .always
  ) -> Self where Self == LocalStorageKey<Value> {
    fatalError("not available")
  }

  /// Unavailable for a type that cannot be stored.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message:
      "The value's type has no JSON form. Write @Stored in front of the struct or enum; natively, Codable is enough."
  )
  public static func sessionStorage<Value>(
    _ key: String, prefix: String = "", saving: SaveTiming = .immediately
  ) -> Self where Self == StoredKey<Value> {
    fatalError("not available")
  }

  /// Unavailable for a type that cannot be stored.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message:
      "The value's type has no JSON form. Write @Stored in front of the struct or enum; natively, Codable is enough."
  )
  public static func fileStorage<Value>(
    _ path: String, saving: SaveTiming = .immediately,
    following: StoreFollowing = .always
  ) -> Self where Self == FileStorageKey<Value> {
    fatalError("not available")
  }

  /// Unavailable for a type that cannot be stored.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message:
      "The value's type has no JSON form. Write @Stored in front of the struct or enum; natively, Codable is enough."
  )
  public static func appStorage<Value>(
    _ key: String, store: (any KeyValueStore)? = nil, saving: SaveTiming = .immediately,
    following: StoreFollowing = .always
  ) -> Self where Self == AppStorageKey<Value> {
    fatalError("not available")
  }

  /// Unavailable: a coding has the version.
  @available(
    *, unavailable,
    message: "Give the version to the coding: coding: .json(version: 2, migrations: […])."
  )
  public static func localStorage<Value>(
    _ key: String, prefix: String = "", version: Int, migrations: [StorageMigration] = [],
    coding: StorageCoding<Value>, saving: SaveTiming = .immediately,
    following: StoreFollowing = .always
  ) -> Self where Self == LocalStorageKey<Value> {
    fatalError("not available")
  }

  /// Unavailable: a coding has the version.
  @available(
    *, unavailable,
    message: "Give the version to a coding: coding: .json(version: 2, migrations: […])."
  )
  public static func fileStorage<Value>(
    _ path: String, version: Int, migrations: [StorageMigration] = [],
    saving: SaveTiming = .immediately, following: StoreFollowing = .always
  ) -> Self where Self == FileStorageKey<Value> {
    fatalError("not available")
  }

  /// Unavailable: another key of the same value has the version.
  @available(
    *, unavailable,
    message: "Use .localStorage(key, version: 2, migrations: […]), which has the same value."
  )
  public static func appStorage<Value>(
    _ key: String, version: Int, migrations: [StorageMigration] = [],
    saving: SaveTiming = .immediately, following: StoreFollowing = .always
  ) -> Self where Self == AppStorageKey<Value> {
    fatalError("not available")
  }
}
