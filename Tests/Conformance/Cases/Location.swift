import SharingCore
import SharingTestDoubles
import WasiStorage

extension Case {
  static let location: [Case] = [
    Case("R11", "the address without a fragment shows the default and stays") { trial in
      let address = AddressBar(in: trial)
      @Shared(.locationHash) var route = "/"
      trial.expect(route, equals: "/")
      trial.expect(address.text, equals: nil)
    },
    Case("R14", "the address's fragment is shown, followed and observed") { trial in
      let address = AddressBar(in: trial)
      address.text = "/active"
      @Shared(.locationHash) var route = "/"
      let seen = Log()
      let token = observe { seen.append(route.utf8.count) }
      address.visit("/completed")
      address.visit(nil)
      trial.expect(seen.numbers, equals: [7, 10, 1])
      token.cancel()
    },
    Case("R12", "a change of the text is one of the address, and does not come back as news") {
      trial in
      let address = AddressBar(in: trial)
      @Shared(.locationHash) var route = "/"
      let seen = Log()
      let token = observe { seen.append(route.utf8.count) }
      $route.withLock { $0 = "/active" }
      address.rest()
      trial.expect(address.text, equals: "/active")
      address.store.notify("")
      $route.withLock { $0 = "" }
      address.rest()
      trial.expect(address.text, equals: nil)
      $route.reset()
      trial.expect(seen.numbers, equals: [1, 7, 0, 1])
      token.cancel()
    },
    Case("R12", "changes without a rest between them are one of the address, each second") {
      trial in
      let address = AddressBar(in: trial)
      @Shared(.locationHash) var route = ""
      for _ in 1...20 {
        $route.withLock { $0 += "a" }
        trial.expect(address.store.writeCount, equals: 0)
        address.clock.advance(by: 50)
      }
      trial.expect(address.store.writeCount, equals: 1)
      $route.withLock { $0 = "/b" }
      $route.withLock { $0 = "/c" }
      address.clock.advance(by: 99)
      trial.expect(address.store.writeCount, equals: 1)
      address.clock.advance(by: 1)
      trial.expect(address.text, equals: "/c")
      trial.expect(address.store.writeCount, equals: 2)
    },
    Case("R17", "any text is a fragment, encoded as browsers do") { trial in
      let address = AddressBar(in: trial)
      @Shared(.locationHash) var route = "/"
      let texts = [
        ("/a b?c=d&e#f[g]{h}|^~'()*!", "/a%20b?c=d&e#f[g]{h}|^~'()*!"),
        ("100%", "100%25"), ("%41", "%2541"), ("<\"`>", "%3C%22%60%3E"),
        ("\n\t\u{7F}", "%0A%09%7F"),
        ("\u{E4}\u{1F600}", "%C3%A4%F0%9F%98%80"), ("#", "#"),
      ]
      for (text, fragment) in texts {
        $route.withLock { $0 = text }
        address.rest()
        trial.expect(address.text, equals: fragment)
        address.visit("elsewhere")
        address.visit(fragment)
        trial.expect(route, equals: text)
      }
    },
    Case("R15", "what a visitor types is taken as it is") { trial in
      let address = AddressBar(in: trial)
      @Shared(.locationHash) var route = "/"
      for (fragment, text) in [
        ("a%2fb", "a/b"), ("100%", "100%"), ("%zz%4", "%zz%4"), ("%%41", "%A"), ("%FF", "\u{FFFD}"),
      ] {
        address.visit(fragment)
        trial.expect(route, equals: text)
        trial.expect($route.loadError == nil, "\(fragment) is an error")
        trial.expect(address.text, equals: fragment)
      }
    },
    Case("R16", "an address that takes no change says so, and gets the next one") { trial in
      let address = AddressBar(in: trial)
      @Shared(.locationHash) var route = "/"
      address.store.failure = .other
      $route.withLock { $0 = "/a" }
      address.rest()
      trial.expect(route, equals: "/a")
      trial.expect(address.text, equals: nil)
      trial.expect($route.saveError != nil, "no saveError")
      address.store.notify("")
      trial.expect(route, equals: "/a")
      address.store.failure = nil
      address.clock.advance(by: 30_000)
      trial.expect(address.text, equals: nil)
      $route.save()
      trial.expect(address.text, equals: "/a")
      trial.expect($route.saveError == nil, "saveError stays")
      trial.expect($route.isSaving, equals: false)
    },
    Case("R16", "what a visitor goes to is not replaced by a change that was not taken") { trial in
      let address = AddressBar(in: trial)
      @Shared(.locationHash) var route = "/"
      address.store.failure = .other
      $route.withLock { $0 = "/a" }
      address.rest()
      address.visit("/visited")
      trial.expect(route, equals: "/visited")
      address.store.failure = nil
      address.clock.advance(by: 30_000)
      trial.expect(address.text, equals: "/visited")
      trial.expect(route, equals: "/visited")
      trial.expect($route.saveError == nil, "saveError stays")
    },
    Case("R13", "nor by one that is not written yet, which is no loss") { trial in
      let address = AddressBar(in: trial)
      @Shared(.locationHash) var route = "/"
      for (isTold, fragment) in [(true, "/visited"), (false, "/there"), (true, nil)] {
        $route.withLock { $0 = "/a" }
        address.text = fragment
        if isTold { address.store.notify("") }
        address.rest()
        trial.expect(route, equals: fragment ?? "/")
        trial.expect(address.text, equals: fragment)
        trial.expect($route.saveError == nil && $route.loadError == nil, "there is an error")
      }
      trial.expect(address.store.writeCount, equals: 0)
    },
  ]
}

/// The page's address bar. The case edits it as a visitor would.
private struct AddressBar {
  let store: ScriptedStore
  let clock = ManualClock()

  init(in trial: Trial) {
    store = ScriptedStore(over: trial.hostLocation)
    trial.environment.stores.location = store
    trial.environment.stores.clock = clock
  }

  /// Lets pass the time after which a change is written.
  func rest() { clock.advance(by: 100) }

  var text: String? {
    get { store[""] }
    nonmutating set { store[""] = newValue }
  }

  func visit(_ fragment: String?) {
    text = fragment
    store.notify("")
  }
}
