"""The inspector of a page, JavaScript/inspector.js, as a test sees it."""

ROOT = "document.querySelector('sharing-inspector')?.shadowRoot"
# The rows, each as its texts by the class of the element.
ROWS = f"""
  Object.fromEntries([...({ROOT}?.querySelectorAll("li") ?? [])].map((row) => {{
    const text = (part) => row.querySelector(part)?.textContent ?? null;
    const names = ["size", "revision", "writer", "problem"];
    const facts = names.map((name) => [name, text(`.${{name}} dd`)]);
    return [`${{text(".place")}} ${{text(".key")}}`, {{
      value: text("pre"),
      status: text(".status"),
      ...Object.fromEntries(facts),
    }}];
  }}))
"""
CARD = f"""
  [...({ROOT}?.querySelectorAll("li") ?? [])].find((row) => args[0] ===
    ["place", "key"].map((name) => row.querySelector("." + name).textContent).join(" "))
"""


def open_inspector(tab):
    tab.press("F8")
    expect_open(tab)


def expect_open(tab, wanted=True):
    tab.expect(f"!!{ROOT}", wanted)


def expect_keys(tab, *names):
    """Waits until these keys are listed, in any order; each is the store and the name."""
    tab.expect(f"Object.keys({ROWS}).sort()", sorted(names))


def row(tab, name):
    return tab.value(f"({ROWS})[args[0]] ?? null", name)


def expect_row(tab, name, **facts):
    """Waits until a row shows texts, or texts that match patterns."""
    for fact, wanted in facts.items():
        tab.expect(f"({ROWS})[args[0]]?.[args[1]] ?? null", wanted, name, fact)


def act(tab, name, button):
    """Clicks a button of a key, Damage or Clear."""
    tab.expect(f"!!({CARD})", True, name)
    tab.value(f"({CARD}).querySelector('.' + args[1]).click()", name, button)


def click(tab, button):
    """Clicks a button of the panel."""
    tab.value(f"{ROOT}.querySelector('.' + args[0]).click()", button)


def click_behind(tab, selector):
    """Clicks an element of the page that the panel may cover, where a person would scroll."""
    tab.value("document.querySelector(args[0]).click()", selector)


def expect_answer(tab, wanted):
    tab.expect(f"{ROOT}?.querySelector('.answer').textContent", wanted)


def damage(tab, key):
    """Damages a value of localStorage, and tells the page's programs, as the inspector does."""
    tab.value("localStorage.setItem(args[0], (localStorage.getItem(args[0]) ?? '') + '{')", key)
    tab.value("globalThis[Symbol.for('wasm-sharing')].forEach((each) => each.changed(0, args[0]))", key)


def with_inspector(script, module="./inspector.js"):
    """Returns the script of a new app with the line that adds the inspector."""
    line = f'{{ inspector: () => import("{module}") }}'
    added = script.replace("bind(document));", f"bind(document), {line});")
    assert added != script, script
    return added
