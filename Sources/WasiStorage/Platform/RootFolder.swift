import SharingCore

// The root of the file system, which is no folder for keys.
extension FileStore {
  #if hasFeature(Embedded)
    /// Under a WASI runtime, `/` may be the program's own folder.
    static func refusesFolder(_ folder: UTF8Text) -> Bool { false }
  #else
    /// Whether the path names the root, such as `/` or `//./`.
    static func refusesFolder(_ folder: UTF8Text) -> Bool {
      let slash = UInt8(ascii: "/")
      return folder.bytes.first == slash
        && folder.bytes.split(separator: slash).allSatisfy { $0 == [UInt8(ascii: ".")] }
    }
  #endif
}
