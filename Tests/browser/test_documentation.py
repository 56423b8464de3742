"""The served documentation: its pages are shown, and axe finds nothing in our part of them. The
frame is docc's: in a narrow window, it has a button without a name, and tables that cannot be
scrolled by keyboard."""

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
def website():
    """Serves the built documentation."""
    if not (DOCS / "index.html").exists():
        pytest.fail(f"{DOCS} is missing: run ./build.sh docs", pytrace=False)
    website = Website(DOCS)
    yield website
    website.close()


@pytest.mark.parametrize(
    ("path", "title"),
    [(path, source.read_text().partition("\n")[0].lstrip("# ")) for path, source in PAGES.items()]
    + [("documentation/sharingpage/page/", "Page")],
)
def test_a_page_of_the_documentation_is_shown(website, open_tab, path, title):
    website.begin_with(AXE)
    website.answer(path, website.file(f"{path}index.html"))
    page = open_tab(path)
    page.expect_text("h1", re.compile(re.escape(title)))
    page.expect(IS_COMPLETE, True)
    ours = VIOLATIONS.replace("axe.run()", "axe.run({ exclude: ['.toggle'] })")
    assert page.value(ours) == [], page.engine
