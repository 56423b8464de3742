"""The served documentation: its landing page, its search, and the pages of docc, in our part of
which axe finds nothing. The frame is docc's: in a narrow window, it has a button without a name,
and tables that cannot be scrolled by keyboard. Axe does not see that its link #skip-nav comes
before the links of our header, since these are in a shadow root."""

import re

import pytest
from test_accessibility import AXE, VIOLATIONS
from website import WEB, Website

DOCS = WEB.parent / ".build/docs"
CATALOG = WEB.parent / "docs/Documentation.docc"
# All articles, and one page of the API: the path, and the file with its title.
PAGES = {
    "documentation/wasm-sharing/": CATALOG / "wasm-sharing.md",
    "documentation/wasm-sharing/design/": WEB.parent / "docs/DESIGN.md",
}
for article in sorted(CATALOG.glob("*.md")):
    if article not in PAGES.values():
        PAGES[f"documentation/wasm-sharing/{article.stem.lower()}/"] = article
# After the text is shown, docc fetches our colours and highlights code of languages that it knows.
# Then it scrolls its sidebar to the link of the page, the only one for the keyboard. The first page
# has no link there.
IS_COMPLETE = """
  document.body.style.getPropertyValue("--color-syntax-comments") !== "" &&
    [...document.querySelectorAll(".code-listing:is([data-syntax=swift], [data-syntax=js])")]
      .every((one) => one.querySelector("[class^=syntax-]")) &&
    (location.pathname.endsWith("/documentation/wasm-sharing/") ||
      [...document.querySelectorAll("#sidebar-scroll-lock a")].some((link) => link.tabIndex === 0))
"""


@pytest.fixture
def website(request):
    """Serves the built documentation, or the folder that a test names."""
    if not (DOCS / "index.html").exists():
        pytest.fail(f"{DOCS} is missing: run ./build.sh docs", pytrace=False)
    website = Website(getattr(request, "param", DOCS))
    yield website
    website.close()


@pytest.mark.parametrize(
    ("path", "title"),
    [(path, source.read_text().partition("\n")[0].lstrip("# ")) for path, source in PAGES.items()]
    + [("documentation/sharingpage/page/", "Page")],
)
def test_a_page_of_the_documentation_is_shown(open_tab, path, title):
    page = open_tab(path)
    page.expect_text("h1", re.compile(re.escape(title)))


# Axe needs up to 17 s for a page; `./build.sh soak engines` checks all articles.
CHECKED = [
    f"documentation/{path}/" for path in ["wasm-sharing/saving", "wasm-sharing/tutorial", "sharingpage/page"]
]
LEFT_TO_SOAK = [path for path in PAGES if path not in CHECKED]


@pytest.mark.parametrize(
    "path", [*CHECKED, *(pytest.param(path, marks=pytest.mark.soak) for path in LEFT_TO_SOAK)]
)
def test_axe_finds_nothing_in_a_page_of_the_documentation(website, open_tab, path):
    website.begin_with(AXE)
    expect_no_violations(open_tab(path))


@pytest.mark.needs("settings")
@pytest.mark.parametrize(
    "path", [CHECKED[0], *(pytest.param(path, marks=pytest.mark.soak) for path in CHECKED[1:])]
)
def test_axe_finds_nothing_in_a_dark_page_of_the_documentation(website, open_tab, path):
    website.begin_with(AXE)
    page = open_tab()
    page.page.emulate_media(color_scheme="dark")
    page.goto(website.address + path)
    page.expect("matchMedia('(prefers-color-scheme: dark)').matches", True)
    expect_no_violations(page)


def expect_no_violations(page):
    page.expect(IS_COMPLETE, True)
    ours = VIOLATIONS.replace("axe.run()", "axe.run({ exclude: ['.toggle', '#skip-nav'] })")
    assert page.value(ours) == [], page.engine


# MARK: The landing page

README = (WEB.parent / "README.md").read_text()
PROGRAM = WEB.parent / "Template/Sources/MyApp/MyApp.swift"


def test_the_landing_page_shows_the_picture_and_the_code_of_the_readme(open_tab):
    page = open_tab()
    page.expect("document.querySelector('.hero img').naturalWidth", 1200)
    program, html, commands = page.value(
        "[...document.querySelectorAll('pre')].map(({ textContent }) => textContent)"
    )
    assert program == PROGRAM.read_text()
    assert f"```html\n{html}```" in README
    assert "./build.sh new" in commands
    assert f"```sh\n{commands}```" in README


def test_the_reasons_of_the_landing_page_have_the_figures_of_the_readme(open_tab):
    page = open_tab()
    shown = page.texts("[aria-labelledby=reasons] li p")
    assert len(shown) == 4
    figures = re.findall(r"[\d.]+(?: kB)?", " ".join(shown))
    assert [figure for figure in figures if figure.endswith("kB")]
    assert [figure for figure in figures if figure not in README] == []


def test_the_links_of_the_landing_page_lead_to_pages(open_tab):
    page = open_tab()
    broken = page.value("""Promise.all([...document.querySelectorAll("a[href]")]
      .filter(({ origin }) => origin === location.origin)
      .map(async ({ href }) => (await fetch(href)).ok ? null : href))
      .then((all) => all.filter(Boolean))""")
    assert broken == []


def test_the_landing_page_leads_to_the_tutorial_the_articles_and_the_api(open_tab):
    page = open_tab()
    links = page.value("""[...document.querySelectorAll(".site-header a")]
      .map(({ pathname, hash }) => pathname + hash)""")
    assert links[:4] == [
        "/",
        "/documentation/wasm-sharing/tutorial/",
        "/documentation/wasm-sharing/",
        "/documentation/wasm-sharing/#Modules",
    ]


@pytest.mark.needs("settings")
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 800, 360])
def test_axe_finds_nothing_in_the_landing_page_and_nothing_sticks_out(
    website, open_tab, scheme, width
):
    website.begin_with(AXE)
    page = open_tab()
    page.page.emulate_media(color_scheme=scheme)
    page.page.set_viewport_size({"width": width, "height": 800})
    page.expect(f"matchMedia('(prefers-color-scheme: {scheme})').matches", True)
    assert page.value(VIOLATIONS) == []
    search(page, "localStorage")
    page.expect(f"{OPTIONS}.length > 0", True)
    assert page.value(VIOLATIONS) == []
    assert page.value("document.documentElement.scrollWidth <= innerWidth")


# MARK: The search

# In the pages of docc, the header is in a shadow root.
SEARCH = """(document.querySelector("site-search") ??
  document.querySelector("custom-header")?.shadowRoot.querySelector("site-search"))"""
OPTIONS = f"[...{SEARCH}.querySelectorAll('[role=option]')]"
TITLES = f"{OPTIONS}.map((one) => one.querySelector('strong').textContent)"
ACTIVE = f"{OPTIONS}.findIndex((one) => one.ariaSelected === 'true')"
IS_OPEN = f"{SEARCH}.querySelector('input').ariaExpanded === 'true'"
MESSAGE = f"{SEARCH}.querySelector('[role=status]').textContent"


def search(page, text):
    """Types a text into the search, which the key / has focused."""
    page.expect(f"{SEARCH}?.childElementCount > 0", True)
    page.press("/")
    page.expect(f"{SEARCH}.getRootNode().activeElement?.role", "combobox")
    for character in text:
        page.press(character)


FIRST_KEY = "documentation/wasistorage/sharingcore/sharedreaderkey/localstorage(_:)/"


@pytest.mark.parametrize(
    ("text", "title", "path"),
    [
        ("localStorage", "localStorage(_:)", FIRST_KEY),
        ("@Shared", "Shared", "documentation/sharingcore/shared/"),
        ("shared.withLock", "withLock(", "documentation/sharingcore/shared/withlock("),
        ("losing nothing", "Losing nothing", "documentation/wasm-sharing/losingnothing/"),
        ("rsync", "Deploying", "documentation/wasm-sharing/deploying/#Upload-web"),
    ],
)
def test_the_search_finds_symbols_titles_and_words_of_articles(open_tab, text, title, path):
    page = open_tab()
    search(page, text)
    page.expect(f"{TITLES}[0]?.startsWith(args[0])", True, title)
    assert path in page.value(f"{OPTIONS}[0].href")


def test_the_search_shows_symbols_and_articles(open_tab):
    page = open_tab()
    search(page, "localStorage")
    groups = f"[...{SEARCH}.querySelectorAll('[role=group]')].map(({{ ariaLabel }}) => ariaLabel)"
    page.expect(groups, ["API", "Articles"])
    assert re.fullmatch(r"12 of \d+ pages\. More words find fewer\.", page.value(MESSAGE))


def test_the_search_is_used_by_keyboard(open_tab):
    page = open_tab()
    search(page, "saving")
    page.expect(IS_OPEN, True)
    page.expect(ACTIVE, 0)
    page.press("ArrowDown")
    page.expect(ACTIVE, 1)
    page.press("ArrowUp")
    page.press("ArrowUp")
    page.expect(ACTIVE, page.value(f"{OPTIONS}.length - 1"))
    active = f"{SEARCH}.querySelector('input').getAttribute('aria-activedescendant')"
    assert page.value(active) == page.value(f"{OPTIONS}.at(-1).id")
    page.press("Escape")
    page.expect(IS_OPEN, False)
    page.press("ArrowDown")
    page.expect(IS_OPEN, True)
    page.press("Enter")
    page.expect("location.pathname", "/documentation/wasm-sharing/saving/")
    page.expect_text("h1", "Saving, failing, migrating")


def test_the_search_closes_when_it_is_left(open_tab):
    page = open_tab()
    search(page, "saving")
    page.expect(IS_OPEN, True)
    page.value("document.activeElement.blur()")
    page.expect(IS_OPEN, False)
    page.value("document.body.setAttribute('contenteditable', '')")
    page.value("document.body.focus()")
    page.press("/")
    assert page.value("document.activeElement.localName") == "body"


def test_the_search_reports_that_it_has_found_nothing(open_tab):
    page = open_tab()
    search(page, "qqqq")
    page.expect(MESSAGE, "No page has “qqqq”.")
    assert not page.value(IS_OPEN)


def test_the_search_reports_that_its_index_is_missing_and_tries_again(website, open_tab, problems):
    website.answer("site/index.json", status=404)
    page = open_tab()
    search(page, "sav")
    page.expect(MESSAGE, "The index of the search could not be loaded. Reload the page.")
    website.answer("site/index.json", website.file("site/index.json"), "application/json")
    page.press("i")
    page.expect(IS_OPEN, True)
    problems[:] = [problem for problem in problems if "404" not in problem]


@pytest.mark.parametrize("website", [DOCS.parent], indirect=True)
def test_the_landing_page_and_the_search_work_below_a_path(open_tab):
    page = open_tab(f"{DOCS.name}/")
    page.expect("document.querySelector('.hero img').naturalWidth", 1200)
    search(page, "localStorage")
    page.expect(IS_OPEN, True)
    addresses = page.value(f"{OPTIONS}.map(({{ href }}) => href)")
    assert addresses[0] == page.value("location.href") + FIRST_KEY
    status = "Promise.all(args[0].map(async (one) => (await fetch(one)).status))"
    assert page.value(status, addresses) == [200] * 12


def test_a_page_of_the_documentation_has_the_search(website, open_tab):
    website.begin_with(AXE)
    page = open_tab("documentation/wasm-sharing/saving/")
    search(page, "habit tracker")
    page.expect(f"{TITLES}[0]", "A habit tracker, step by step")
    expect_no_violations(page)
    page.press("Enter")
    page.expect("location.pathname", "/documentation/wasm-sharing/tutorial/")
    page.expect_text("h1", "A habit tracker, step by step")
