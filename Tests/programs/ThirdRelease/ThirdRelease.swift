import ReleasePage
import SharingPage

/// The third release: a note has one kind less, jobs and the time have other forms again, and the
/// plans have the missing migration.
@main
struct ThirdRelease: PageApp {
  func start(on page: Page) {
    let page = ReleasePage(page)
    switch page.name {
    case "notes": page.showList(of: Note.self)
    case "jobs":
      page.showList(of: Job.self, version: 3, migrations: [.jobsFromFirst, .jobsFromSecond])
    case "plans":
      page.showList(of: SecondJob.self, version: 2, migrations: [.jobsFromFirst])
    default: page.showNumber(version: 3, migrations: [.tenths, .hundredths])  // the time
    }
  }
}

@Stored struct Note {
  var id = 0
  var kind = Kind.plain

  @Stored enum Kind { case plain, starred }
}

@Stored struct FirstJob {
  var id = 0
  var title: UTF8Text = ""
}

@Stored struct SecondJob {
  var id = 0
  var name: UTF8Text = ""
}

@Stored struct Job {
  var id = 0
  var label: UTF8Text = ""
}

extension StorageMigration {
  fileprivate static let jobsFromFirst = StorageMigration(from: 1) { (old: [FirstJob]) in
    old.map { SecondJob(id: $0.id, name: $0.title) }
  }
  fileprivate static let jobsFromSecond = StorageMigration(from: 2) { (old: [SecondJob]) in
    old.map { Job(id: $0.id, label: $0.name) }
  }
  fileprivate static let tenths = StorageMigration(from: 1) { (seconds: Int) in 10 * seconds }
  fileprivate static let hundredths = StorageMigration(from: 2) { (tenths: Int) in 10 * tenths }
}
