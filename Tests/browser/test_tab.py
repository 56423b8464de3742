"""In every engine, the input of tests arrives in a page like a person's input."""

import pytest

PAGE = """<!DOCTYPE html>
<head><title>Events</title><link rel="icon" href="data:,"></head>
<input id="field" value="old">
<button id="button">a button</button>
<p id="hidden" hidden>here</p>
<script>
  const heard = [];
  field.onkeydown = ({ key }) => heard.push(key);
  button.ondblclick = () => hidden.hidden = false;
</script>"""


@pytest.fixture
def page(open_tab, website):
    website.answer("page", PAGE)
    return open_tab("page")


def test_text_is_typed_and_replaced(page):
    page.type("#field", " and ä")
    assert "and ä" in page.value("field.value")
    page.fill("#field", "new text!")
    assert page.value("field.value") == "new text!"


def test_keys_have_their_names(page):
    page.focus("#field")
    names = ["Escape", "Enter", "ArrowLeft", "Backspace", "Tab"]
    for name in names:
        page.press(name)
    page.expect("heard", names)
    assert page.value("document.activeElement.id") == "button"


def test_two_clicks_are_a_double_one(page):
    page.expect_visible("#hidden", False)
    page.double_click("#button")
    page.expect_visible("#hidden")


def test_the_pointer_is_over_an_element(page):
    page.hover("#button")
    page.expect("button.matches(':hover')", True)
