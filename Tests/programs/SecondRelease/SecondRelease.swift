import ReleasePage
import SharingPage

/// The second release: a note has another kind, jobs, the time and the title have other forms, the
/// plans a version without a migration, and the amount another type without a version.
@main
struct SecondRelease: PageApp {
  func start(on page: Page) {
    let page = ReleasePage(page)
    switch page.name {
    case "notes": page.showList(of: Note.self)
    case "jobs": page.showList(of: Job.self, version: 2, migrations: [.jobsFromFirst])
    case "plans": page.showList(of: Job.self, version: 2)
    case "time": page.showNumber(version: 2, migrations: [.tenths])
    case "amount": page.showText()
    default: page.showText(version: 2, migrations: [.titleFromFirst])
    }
  }
}

@Stored struct Note {
  var id = 0
  var kind = Kind.plain

  @Stored enum Kind { case plain, dated, starred }
}

@Stored struct FirstJob {
  var id = 0
  var title: UTF8Text = ""
}

@Stored struct Job {
  var id = 0
  var name: UTF8Text = ""
}

extension StorageMigration {
  fileprivate static let jobsFromFirst = StorageMigration(from: 1) { (old: [FirstJob]) in
    old.map { Job(id: $0.id, name: $0.title) }
  }
  fileprivate static let tenths = StorageMigration(from: 1) { (seconds: Int) in 10 * seconds }
  fileprivate static let titleFromFirst = StorageMigration(from: 1) { (old: UTF8Text) in
    "# \(old)" as UTF8Text
  }
}
