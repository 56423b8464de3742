"""Rows of a list: JavaScript/page.js without a program, in pages/rows.html."""

import itertools
import pathlib

import pytest

PAGES = pathlib.Path(__file__).parent / "pages"
NAMES = "[...document.querySelectorAll('li input')].map((field) => field.value)"
FOCUSED = "[document.activeElement.value, document.activeElement.selectionStart]"


@pytest.fixture
def page(website, open_tab):
    website.answer("rows.html", (PAGES / "rows.html").read_text())
    website.answer("rows.js", (PAGES / "rows.js").read_text(), "text/javascript")
    tab = open_tab("rows.html")
    tab.expect("typeof globalThis.set", "function")
    return tab


def show(page, *names):
    """Shows rows with these names; each name is also the key of its row."""
    page.value("set('items', args[0])", [{"id": name, "name": name} for name in names])


def change(page, **fields):
    page.value("set('items', args[0])", fields)


@pytest.mark.parametrize("focused", "abcd")
def test_a_row_in_which_one_types_keeps_the_focus_wherever_rows_move(page, focused):
    show(page, *"abcd")
    page.value(
        """(() => {
          globalThis.left = 0;
          addEventListener("focusout", () => left += 1);
          const fields = [...document.querySelectorAll("li input")];
          const field = fields.find(({ value }) => value === args[0]);
          field.focus();
          field.setSelectionRange(0, 0);
        })()""",
        focused,
    )
    for count in (4, 3):
        for names in itertools.permutations("abcd", count):
            if focused not in names:
                continue
            show(page, *names)
            assert page.value(NAMES) == list(names)
            assert page.value(FOCUSED) == [focused, 0]
    assert page.value("left") == 0


def test_a_program_after_another_one_shows_its_own_rows_only(page):
    show(page, "a", "b")
    page.value("stop()")
    page.value("start()")
    assert page.value(NAMES) == ["a", "b"], "until it shows some"
    show(page, "b", "c")
    assert page.value(NAMES) == ["b", "c"]
    page.value("stop()")
    page.value("start()")
    change(page, id="d", name="d")
    assert page.value(NAMES) == ["d"]


def test_a_field_of_a_row_has_no_meaning_of_its_own(page):
    page.value("set('items', [{ id: 'a', name: 'a', editing: true }, { id: 'b', name: 'b' }])")
    change(page, id="a", name="changed")
    assert page.value(NAMES) == ["changed", "b"]
    change(page, gone="a")
    assert page.value(NAMES) == ["b"]


@pytest.mark.parametrize(("gone", "next"), [("a", "b"), ("b", "c"), ("c", "b")])
def test_the_focus_goes_to_the_same_control_of_the_neighbour(page, gone, next):
    show(page, "a", "b", "c")
    key = "document.activeElement.closest('li')?.key"
    page.value(f"[...document.querySelectorAll('button')].at({'abc'.index(gone)}).focus()")
    assert page.value(key) == gone
    change(page, gone=gone)
    assert page.value(key) == next
    assert page.value("document.activeElement.matches('button')")
    page.value(f"{key.split('?')[0]}.querySelector('input').focus()")
    change(page, gone=next)
    assert page.value("document.activeElement === document.body"), "typing changes no other row"


def test_a_field_of_any_name_can_be_shown(page):
    show(page, "a")
    change(page, id="a", name="b", gone=False)
    change(page, id="c", name="c", gone=True)
    assert page.value(NAMES) == ["b", "c"]
    change(page, gone="a")
    assert page.value(NAMES) == ["c"]


def test_a_row_without_changes_is_named_by_its_key(page):
    page.value("set('items', [1, 2, 3].map((id) => ({ id, name: `${id}`, place: id })))")
    page.focus("li:nth-of-type(3) input")
    page.value("set('items', [3, { id: 4, name: 'new' }, 1])")
    assert page.value(NAMES) == ["3", "new", "1"]
    assert page.value(FOCUSED)[0] == "3"
    assert page.value("document.querySelector('li').ariaPosInSet") == "3"


def test_zero_is_no_empty_text(page):
    change(page, id=1, name="a", place=0)
    assert page.value("document.querySelector('li').getAttribute('aria-posinset')") == "0"
    change(page, id=1, place="")
    assert page.value("document.querySelector('li').hasAttribute('aria-posinset')") is False


def test_an_optional_field_that_is_nil_is_an_empty_text(page):
    change(page, id="a", name=None)
    assert page.value(NAMES) == [""]
    change(page, id="a", name="a")
    page.type("li input", "!")
    change(page, id="a", name=None)
    assert page.value(NAMES) != [""], "what is typed stays"
    page.press("Backspace")
    page.value("document.activeElement.blur()")
    assert page.value(NAMES) == [""]


# A list in a row, and a form in its rows.
INNER = """
<ul class="tasks" data-rows="tasks" data-key="id">
  <template>
    <li class="task">
      <b data-text="title"></b>
      <button type="button" data-click="check"></button>
      <input class="new" data-change="rename">
      <form data-submit="move"><input name="place"></form>
    </li>
  </template>
</ul>"""


@pytest.fixture
def lists(website, open_tab):
    """Returns a function that opens the page with a list in each row."""

    def open_lists(inner=INNER):
        html = (PAGES / "rows.html").read_text()
        assert html.count("</li>") == 1
        website.answer("rows.html", html.replace("</li>", inner + "</li>"))
        website.answer("rows.js", (PAGES / "rows.js").read_text(), "text/javascript")
        tab = open_tab("rows.html")
        tab.expect("typeof globalThis.set", "function")
        return tab

    return open_lists


def tasks(*titles):
    return [{"id": title[0], "title": title} for title in titles]


TASKS = """[...document.querySelectorAll("[data-rows=items] > li")].map((row) =>
  [...row.querySelectorAll(".task")].map((task) => task.querySelector("b").textContent))"""


@pytest.mark.engines
def test_a_row_has_a_list_of_its_own(lists):
    page = lists()
    page.value(
        "set('items', args[0])",
        [{"id": 1, "tasks": tasks("milk", "tea")}, {"id": 2, "tasks": []}],
    )
    assert page.value(TASKS) == [["milk", "tea"], []]
    change(page, id=2, tasks=tasks("rent"))
    assert page.value(TASKS) == [["milk", "tea"], ["rent"]]
    page.value("document.querySelectorAll('.task button')[1].focus()")
    page.value("globalThis.focused = document.activeElement")
    change(page, id=1, tasks=tasks("tea", "salt", "mustard"))
    assert page.value(TASKS) == [["tea", "salt", "mustard"], ["rent"]]
    assert page.value("document.activeElement === focused"), "a row stays the same element"
    change(page, id=1, name="a change of another field")
    assert page.value(TASKS) == [["tea", "salt", "mustard"], ["rent"]]
    change(page, id=1, tasks=None)
    assert page.value(TASKS) == [[], ["rent"]]
    change(page, gone=1)
    assert page.value(TASKS) == [["rent"]]


@pytest.mark.engines
def test_an_action_in_a_row_of_a_row_gets_the_keys_of_both(lists):
    page = lists()
    page.value("set('items', args[0])", [{"id": "a", "tasks": tasks("milk", "tea")}])
    page.click(".task:nth-of-type(2) button")
    page.type(".task:nth-of-type(2) .new", "green tea")
    page.press("Enter")
    page.type(".task:nth-of-type(2) [name=place]", "3")
    page.press("Enter")
    page.click("[aria-label=Remove]")
    page.expect(
        "sent",
        [
            ["check", "a t"],
            ["rename", "a t green tea"],
            ["move?", "\0a\0\0t\0place\x003"],
            ["remove", "a"],
        ],
    )


def test_a_child_of_an_inner_list_that_is_the_pages_own_belongs_to_the_outer_row(lists):
    own = '<li><form data-submit="add"><input class="own" name="title"></form></li></ul>'
    page = lists(INNER.replace("</ul>", own))
    change(page, id="a", tasks=tasks("milk"))
    page.type(".own", "tea")
    page.press("Enter")
    page.expect("sent", [["add?", "\0a\0title\0tea"]])


def test_what_is_typed_in_a_row_of_a_row_is_entered_when_the_outer_one_goes(lists):
    page = lists()
    change(page, id="a", tasks=tasks("milk", "tea"))
    page.type(".task .new", "rice")
    change(page, gone="a")
    assert page.value("sent") == [["rename", "a m rice"]]


@pytest.mark.parametrize("value", [None, "", 3, "milk", {"id": 1}])
def test_a_field_that_is_no_list_has_no_rows(lists, value):
    page = lists()
    change(page, id="a", tasks=tasks("milk"))
    change(page, id="a", tasks=value)
    assert page.value(TASKS) == [[]]


def test_a_row_of_a_row_may_have_rows(lists):
    inner = INNER.replace("</li>", INNER.replace("tasks", "steps").replace("task", "step") + "</li>")
    page = lists(inner.replace("check", "do", 1))
    task = {"id": "b", "title": "cook", "steps": tasks("peel")}
    change(page, id="a", tasks=[task])
    assert page.text(".step b") == "peel"
    page.click(".step button")
    assert page.value("sent") == [["check", "a b p"]]


def test_a_list_in_a_row_that_cannot_have_rows_is_named_at_the_start(lists):
    page = lists()
    message = page.value(
        """(() => {
          const row = document.querySelector("ul > template").content.firstElementChild;
          row.querySelector("ul").removeAttribute("data-key");
          try { start() } catch ({ message }) { return message }
        })()"""
    )
    assert message.startswith('data-rows="tasks" needs data-key')


@pytest.mark.parametrize("target", ["model", "edit"])
def test_a_control_in_a_row_of_a_row_is_named(lists, problems, target):
    page = lists(INNER.replace("data-change", f'aria-label="T" data-{target}="title" data-change'))
    change(page, id="a", tasks=tasks("milk", "tea"))
    assert page.value(TASKS) == [["milk", "tea"]]
    [problem] = problems
    assert f'data-{target}="title" needs' in problem
    problems.clear()


@pytest.mark.parametrize(
    "mistake",
    [
        "list.removeAttribute('data-key')",
        "list.firstElementChild.remove()",
        "list.prepend(document.createElement('li'))",
        "list.firstElementChild.content.replaceChildren()",
    ],
)
def test_a_list_that_cannot_have_rows_is_named(page, mistake):
    message = page.value(
        f"""(() => {{
          const list = document.querySelector("ul");
          {mistake};
          try {{ start() }} catch ({{ message }}) {{ return message }}
        }})()"""
    )
    assert message.startswith('data-rows="items" needs data-key')


@pytest.mark.parametrize("is_alone", [True, False])
def test_a_new_row_can_have_the_focus(page, is_alone):
    show(page, "a")
    new = {"id": "b", "name": "b", "isNew": True}
    page.value("set('items', args[0])", new if is_alone else [new, {"id": "a", "name": "a"}])
    page.expect("document.activeElement.value", "b")


def test_a_page_says_whether_its_program_is_stopped(page):
    states = "['running', 'stopped'].map((id) => document.getElementById(id).textContent)"
    assert page.value(states) == ["true", ""]
    page.value("stop()")
    assert page.value(states) == ["", "true"]
    page.value("start()")
    assert page.value(states) == ["true", ""]


@pytest.mark.parametrize("is_alone", [True, False])
def test_what_is_typed_in_a_row_that_is_removed_is_sent(page, is_alone):
    show(page, "a", "b")
    page.type("li input", "!")
    [typed, _] = page.value(NAMES)
    assert page.value("sent") == [] and typed != "a"
    if is_alone:
        change(page, gone="a")
    else:
        show(page, "b")
    assert page.value(NAMES) == ["b"]
    assert page.value("sent") == [["items", f"a name={typed}"]]


def test_what_is_typed_stays_until_it_is_sent_though_others_change_it(page):
    show(page, "a", "b")
    page.type("li input", "!")
    [typed, _] = page.value(NAMES)
    change(page, id="a", name="other")
    assert page.value(NAMES) == [typed, "b"]
    page.press("Enter")
    assert page.value("sent") == [["items", f"a name={typed}"]]
    change(page, id="a", name="shown")
    assert page.value(NAMES) == ["shown", "b"]


def test_a_field_in_which_nobody_types_shows_what_others_change(page):
    show(page, "a", "b")
    page.focus("li input")
    change(page, id="a", name="other")
    assert page.value(NAMES) == ["other", "b"]


def test_a_field_that_is_left_as_it_was_shows_what_others_have_changed(page):
    show(page, "a", "b")
    page.type("li input", "!")
    change(page, id="a", name="other")
    page.press("Backspace")
    page.focus("li + li input")
    assert page.value(NAMES) == ["other", "b"]


def test_ids_beyond_two_to_the_53_are_rows_of_their_own(page):
    """JavaScript's numbers are exact up to 2 to the 53: the keys of rows are passed as text."""
    large = [9007199254740992, 9007199254740993, -9007199254740993]
    rows = ",".join(f'{{"id":"{id}","name":"{id}"}}' for id in large)
    page.value("show('items', args[0])", f"[{rows}]")
    assert page.value(NAMES) == [str(id) for id in large]
    page.value("show('items', args[0])", f'{{"gone":"{large[1]}"}}')
    assert page.value(NAMES) == [str(large[0]), str(large[2])]


def test_a_key_is_the_same_as_a_number_and_as_text(page):
    change(page, id=1, name="a")
    change(page, id="1", name="b")
    assert page.value(NAMES) == ["b"]
    change(page, gone="1")
    assert page.value(NAMES) == []


def test_of_two_elements_with_one_key_the_first_is_shown_and_the_key_is_named(page, problems):
    one, other = {"id": 3, "name": "one"}, {"id": 3, "name": "other"}
    page.value("set('items', args[0])", [one, other, {"id": 4, "name": "four"}])
    assert page.value(NAMES) == ["one", "four"]
    assert problems == ['console: Two elements under "items" have the key 3.']
    problems.clear()
    page.value("set('items', args[0])", [other, {"id": 4, "name": "four"}])
    assert page.value(NAMES) == ["other", "four"]


@pytest.mark.parametrize("name", ["map", "length", "gone", "then", "toJSON"])
def test_a_row_is_no_list_by_the_names_of_its_fields(page, name):
    change(page, id="a", name="a", **{name: "b"})
    assert page.value(NAMES) == ["a"]


@pytest.mark.parametrize("name", ["constructor", "toString", "__proto__", "hasOwnProperty"])
def test_a_field_may_be_called_like_what_every_object_has(page, name):
    selector = f"li output[data-text={name}]"
    change(page, id="a", name="a")
    assert page.text(selector) == "", "the row has no such field"
    page.value("show('items', args[0])", f'{{"id":"a","{name}":"b"}}')
    assert page.text(selector) == "b"
    page.value("show('items', args[0])", f'[{{"id":"a","{name}":"c"}}]')
    assert page.text(selector) == "c"
    assert page.value(NAMES) == ["a"]
