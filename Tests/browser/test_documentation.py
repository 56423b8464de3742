"""The served documentation: its start page, the articles, their search, and the way to the API,
whose pages are docc's. Axe finds nothing in the articles, but for two elements of Material's
scripts: the buttons beside code have no label of their own, and browsers let the keyboard scroll
wide tables without a focusable element in them."""

import re

import pytest
from test_accessibility import AXE
from test_accessibility import VIOLATIONS as ALL_VIOLATIONS
from website import WEB, Website

DOCS = WEB.parent / ".build/docs"
CATALOG = WEB.parent / "docs/Documentation.docc"
API = "api/documentation/wasm-sharing/"
# The path of each article, and the file with its title.
PAGES = {"": WEB.parent / "README.md", "DESIGN/": WEB.parent / "docs/DESIGN.md"}
for article in sorted(CATALOG.glob("*.md")):
    PAGES[f"{CATALOG.name}/{article.stem}/"] = article


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
    + [("api/documentation/sharingpage/page/", "Page")],
)
def test_a_page_of_the_documentation_is_shown(open_tab, path, title):
    page = open_tab(path)
    page.expect_text("h1", re.compile(re.escape(title)))


def test_a_page_loads_nothing_from_other_servers(open_tab):
    page = open_tab()
    names = "performance.getEntriesByType('resource').map(({ name }) => name)"
    assert [name for name in page.value(names) if not name.startswith(page.value("origin"))] == []


def test_the_links_of_the_start_page_lead_to_pages(open_tab):
    page = open_tab()
    broken = page.value("""Promise.all([...document.querySelectorAll("a[href]")]
      .filter(({ origin }) => origin === location.origin)
      .map(async ({ href }) => (await fetch(href)).ok ? null : href))
      .then((all) => all.filter(Boolean))""")
    assert broken == []


def test_the_start_page_leads_to_the_articles_and_the_api_and_the_api_back(open_tab):
    page = open_tab()
    links = page.value("[...document.querySelectorAll('.md-tabs a')].map((link) => link.pathname)")
    assert links[:3] == ["/", f"/{CATALOG.name}/wasm-sharing/", f"/{API}"]
    page.goto(page.value("origin") + links[2])
    page.expect(
        "document.querySelector('custom-header')?.shadowRoot.querySelector('a').pathname", "/"
    )


@pytest.mark.parametrize("website", [DOCS.parent], indirect=True)
def test_the_site_works_below_a_path(open_tab):
    page = open_tab(f"{DOCS.name}/")
    page.expect("document.querySelector('img[src$=\"demo.webp\"]').naturalWidth", 1136)
    search(page, "localStorage")
    addresses = page.value(f"{FOUND}.map(({{ href }}) => href)")
    status = "Promise.all(args[0].map(async (one) => (await fetch(one)).status))"
    assert set(page.value(status, addresses)) == {200}


# MARK: The search

FOUND = "[...document.querySelectorAll('.md-search-result__link')]"


def search(page, text):
    """Types a text into the search, which the key / has focused, and waits for its results."""
    page.expect("document.querySelector('.md-search__input') !== null", True)
    page.press("/")
    page.expect("document.activeElement.classList.contains('md-search__input')", True)
    for character in text:
        page.press(character)
    page.expect(f"{FOUND}.length > 0", True)


@pytest.mark.parametrize(
    ("text", "path"),
    [("losing nothing", "LosingNothing"), ("rsync", "Deploying"), ("withLock", "")],
)
def test_the_search_finds_titles_and_words_of_articles(open_tab, text, path):
    page = open_tab()
    search(page, text)
    assert path in page.value(f"{FOUND}[0].pathname")


# MARK: Accessibility

VIOLATIONS = ALL_VIOLATIONS.replace(
    "axe.run()",
    "axe.run({ exclude: ['.md-code__nav'] }, { rules: { 'scrollable-region-focusable': { enabled: false } } })",
)

# Axe needs up to 17 s for a page; `./build.sh soak engines` checks all articles.
CHECKED = ["", *(f"{CATALOG.name}/{name}/" for name in ["Saving", "Tutorial"])]
LEFT_TO_SOAK = [path for path in PAGES if path not in CHECKED]


@pytest.mark.parametrize(
    "path", [*CHECKED, *(pytest.param(path, marks=pytest.mark.soak) for path in LEFT_TO_SOAK)]
)
def test_axe_finds_nothing_in_a_page_of_the_documentation(website, open_tab, path):
    website.begin_with(AXE)
    page = open_tab(path)
    assert page.value(VIOLATIONS) == []


@pytest.mark.needs("settings")
@pytest.mark.parametrize("path", CHECKED)
@pytest.mark.parametrize("width", [1280, 360])
def test_axe_finds_nothing_in_a_dark_page_and_nothing_sticks_out(website, open_tab, path, width):
    website.begin_with(AXE)
    page = open_tab()
    page.page.emulate_media(color_scheme="dark")
    page.page.set_viewport_size({"width": width, "height": 800})
    page.goto(website.address + path)
    page.expect("document.body.getAttribute('data-md-color-scheme')", "slate")
    assert page.value(VIOLATIONS) == []
    assert page.value("document.documentElement.scrollWidth <= innerWidth")


def test_axe_finds_nothing_in_the_results_of_the_search(website, open_tab):
    website.begin_with(AXE)
    page = open_tab()
    search(page, "localStorage")
    assert page.value(VIOLATIONS) == []
