"""Numbers and dates in the visitor's terms: JavaScript/formats.js, in pages/formats.html."""

import pathlib

import pytest

PAGES = pathlib.Path(__file__).parent / "pages"


@pytest.fixture
def page(website, open_tab):
    website.answer("formats.html", (PAGES / "formats.html").read_text())
    website.answer("formats-page.js", (PAGES / "formats-page.js").read_text(), "text/javascript")
    tab = open_tab("formats.html")
    tab.expect("typeof globalThis.page?.set", "function")
    return tab


def show(page, name, value):
    page.value("page.set(args[0], args[1])", name, value)


def shown_as(page, format, value, language="en-US"):
    """Returns how a value is shown; spaces of any kind are spaces."""
    page.value(
        """void (() => {
          const [format, value, language] = args;
          document.documentElement.lang = language;
          total.dataset.format = format;
          page.set("total", "");
          page.set("total", value);
        })()""",
        format, value, language,
    )  # fmt: skip
    page.expect("total.value === args[0] && !!total.textContent", True, value)
    return " ".join(page.text("#total").split())


@pytest.mark.engines
@pytest.mark.parametrize(
    ("format", "value", "language", "shown"),
    [
        ("number", "1234.5", "en-US", "1,234.5"),
        ("number:2", "1234.5", "en-US", "1,234.50"),
        ("number", "12345678901234567", "en-US", "12,345,678,901,234,567"),
        ("percent", "0.125", "en-US", "12.5%"),
        ("currency:EUR", "1234.5", "en-US", "€1,234.50"),
        ("currency:EUR", "1234.5", "de-DE", "1.234,50 €"),
        ("currency:JPY", "-1200", "en-US", "-¥1,200"),
        ("date", "2026-11-29", "en-US", "Nov 29, 2026"),
        ("date:long", "2026-11-29", "fr-FR", "29 novembre 2026"),
        ("date:short", "2026-01-02T12:00", "en-US", "1/2/26"),
        ("time:short", "2026-01-02T15:04", "de-DE", "15:04"),
    ],
)
def test_a_value_is_shown_in_the_language_of_the_page(page, format, value, language, shown):
    # The browsers of tests are in English of the United States.
    assert shown_as(page, format, value, language) == shown


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [
        (-30, "this minute"),
        (-90, "1 minute ago"),
        (-7200, "2 hours ago"),
        (-26 * 3600, "yesterday"),
        (3 * 86400 + 60, "in 3 days"),
        (-400 * 86400, "last year"),
    ],
)
def test_a_moment_is_shown_relative_to_now(page, seconds, shown):
    page.value("page.set('since', `${Date.now() + args[0] * 1000}`)", seconds)
    page.expect_text("#since", shown)


def test_a_moment_is_a_number_of_milliseconds(page):
    show(page, "day", "1764374400000")
    page.expect(
        "day.textContent === new Intl.DateTimeFormat('en-US', { dateStyle: 'medium' })"
        ".format(1764374400000)", True,
    )  # fmt: skip


@pytest.mark.engines
def test_rows_that_come_later_are_formatted_and_follow_their_values(page):
    show(page, "items", '[{"id":1,"price":5},{"id":2,"price":0}]')
    page.expect_texts("li data", ["5.00", "0.00"])
    show(page, "items", '{"id":1,"price":7.5}')
    page.expect_texts("li data", ["7.50", "0.00"])


def test_a_format_of_the_pages_own(page):
    show(page, "rating", "3")
    page.expect_text("#rating", "★★★")


def test_an_empty_value_is_an_empty_text(page):
    page.expect_text("#total", "")
    show(page, "total", "5")
    page.expect_text("#total", "€5.00")
    show(page, "total", "")
    page.expect_text("#total", "")


@pytest.mark.parametrize(
    ("format", "value"), [("date", "tomorrow"), ("currency:EURO", "1"), ("price", "1"), ("constructor", "1"),
     ("number", "abc"), ("currency:EUR", "12,5")]
)  # fmt: skip
def test_a_value_that_cannot_be_formatted_is_shown_as_it_is_and_named(
    page, problems, format, value
):
    assert shown_as(page, format, value) == value
    [problem] = problems
    assert f'"{value}" cannot be shown as "{format}"' in problem
    problems.clear()


def test_no_value_is_formatted_after_the_end(page):
    show(page, "rating", "1")
    page.expect_text("#rating", "★")
    page.value("end()")
    show(page, "rating", "2")
    page.value("new Promise((done) => setTimeout(done, 50))")
    page.expect_text("#rating", "★")
