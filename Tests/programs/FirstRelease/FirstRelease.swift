import ReleasePage
import SharingPage

/// The first release of an app, for Tests/browser/test_releases.py.
@main
struct FirstRelease: PageApp {
  func start(on page: Page) {
    let page = ReleasePage(page)
    switch page.name {
    case "notes": page.showList(of: Note.self)
    case "jobs", "plans": page.showList(of: Job.self)
    case "time": page.showNumber()  // seconds
    case "amount": page.showNumber()
    default: page.showText()
    }
  }
}

@Stored struct Note {
  var id = 0
  var kind = Kind.plain

  @Stored enum Kind { case plain, dated }
}

@Stored struct Job {
  var id = 0
  var title: UTF8Text = ""
}
