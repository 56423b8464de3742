import CSystem
import SharingCommits
import SharingCommits
import SharingCore
import WasiStorage

extension Workload {
  /// A number in a folder that programs share. Not available in a page.
  public static let folder = [
    commit("commit a number in a folder", Shared(wrappedValue: 0, .indexedDB("count"))),
    commit(
      "commit a number in a folder that is not followed",
      Shared(wrappedValue: 0, .revisions("count", in: unfollowed))),
    Workload("write, rename and unlink a number's files") {
      precondition(bench_folder_make(), "the folder cannot be made")
      let next = Seen()
      return {
        for _ in 0..<$0 {
          let number = next.value
          let text = Array("\(number + 1)".utf8CString.dropLast())
          precondition(bench_state_replace(Int32(number), text, text.count), "it is not stored")
          next.value = number + 1
        }
      }
    },
  ]
}

private var unfollowed: FolderRevisionStore {
  FolderRevisionStore(folder: "unfollowed", following: .never)
}

private func commit(
  _ name: StaticString, _ makeCount: @autoclosure @escaping @Sendable () -> Shared<Int>
) -> Workload {
  Workload(name) {
    let count = makeCount()
    return {
      for _ in 0..<$0 { count.update { $0 += 1 } }
      precondition(count.saveError == nil && !count.isSaving, "the folder does not store it")
    }
  }
}
