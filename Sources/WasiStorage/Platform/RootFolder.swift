// The root of the file system, which is refused as a folder for keys natively.
import SharingCore

extension FileStore {
  #if hasFeature(Embedded)
    /// Under a WASI runtime, `/` may be the program's own folder.
    static func refusesFolder(_ folder: UTF8Text) -> Bool { false }
  #else
    /// Whether the path names the root, such as `/` or `//./`.
    static func refusesFolder(_ folder: UTF8Text) -> Bool {
      folder.bytes.first == FilePath.slash
        && folder.bytes.split(separator: FilePath.slash).allSatisfy { $0 == [UInt8(ascii: ".")] }
    }
  #endif
}
