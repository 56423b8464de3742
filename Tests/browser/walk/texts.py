"""Texts of todos and counts that other programs may store, and their meaning."""

import json

from todos import ULID, ulid

DEFAULTS = {"todos-sharing": [], "count": 0}
# White space in HTML.
SPACE = "\t\n\f\r "
TITLES = [
    "milk", "  tea ", "\u00a0\u3000x\ufeff", "", "   ", "Käse ☕ 🧀",
    "👩‍👩‍👧‍👦 e\u0301", "שלום \u202eabc", "<b>&amp;",
    '"\\/', "a\u0000b", "\u0001\u007f\u0085", "\u2028mid\u2029dle\u200b", "\uffff\ufffe\U0010ffff",
    "__proto__", "null", "two\nlines\r", '{"id":1}',
    ["repeat", "x", 5000], "half \ud83d", "1 2 3",
]  # fmt: skip
# Texts that are no JSON. See `text_of` for the lists. JSON of another type, which the program does
# not overwrite, is in test_counter.py and the portable cases.
BROKEN = {
    "todos-sharing": [
        "", " ", "{", "[", "NaN", "undefined", '[{"id":1,"title":"cut', '[{"id":01}]',
        '[{"title":"\\ud800"}]', '[{"title":"\n"}]', '[{"title":"\\x"}]',
        '[{"id":1}] x', '[{"id":1},]', "[{'id':1}]",
        "\ufeff[]", "// none\n[]", '[{"title":"\ud83d"}]',
        ["repeat", "[", 100_000], ["repeat", "x", 300_000],
    ],
    "count": [
        "", " ", "x", "1x", "--1", "+1", "01", "1 2", "Infinity", "٣", "7\udc00",
    ],
}  # fmt: skip
# Texts that decode, but in a format that this program does not write. Todos without ids are in
# test_todos.py: each tab has ids of its own for them.
ODD = {
    "todos-sharing": [
        None, "[]", " [ ] ", f'[{{"id":"{ulid(1)}"}}]',
        f'[{{"completed":true,"title":"order","id":"{ulid(7)}"}}]',
        f'[{{"id":"{ulid(0)}","title":"zero"}},{{"id":"7{"Z" * 25}","title":"last"}}]',
        '[{"id":"01arz3ndektsv4rrffq69g5fav","title":"small letters","completed":true}]',
        f'[{{"id":"{ulid(4)}","title":"more","tags":["a",{{"b":null}}],"due":1e400}}]',
        f'\n[\t{{ "id" : "{ulid(9)}" , "title" : "\\u00e4\\ud83e\\uddc0\\/" }} ]\r\n',
        f'[{{"id":"{ulid(3)}","title":""}},{{"id":"{ulid(2)}","title":" spaced "}},'
        f'{{"id":"{ulid(1)}","title":"a\\nb"}}]',
        f'[{{"\\u0069d":"{ulid(6)}","title":"escaped name"}}]',
        f'[{{"id":"\\u0030{ulid(5)[1:]}","title":"escaped id"}}]',
    ],
    "count": [None, "0", "-0", " 7\n", "-12", "41", "2147483000"],
}  # fmt: skip


def text_of(spec):
    """Returns the text of an action: itself, or the expansion of a list that describes a long
    one."""
    match spec:
        case ["repeat", text, count]:
            return text * count
        case ["list", count, step]:  # the interval of completed todos
            todos = [{"id": ulid(number), "title": f"todo {number}", "completed": number % step == 0}
                     for number in range(1, count + 1)]  # fmt: skip
            return json.dumps(todos, separators=(",", ":"))
    return spec


def decoded(key, text):
    """Returns the count, or (id, title, completed) of each todo; None if the text is corrupt."""
    if text is None:
        return DEFAULTS[key]
    try:
        text.encode()  # a lone surrogate is an error, here and in titles
        value = json.loads(text, parse_constant=fail)
        if key == "count":
            return integer(value, bits=32)
        return [todo(each) for each in checked(value, list)]
    except (ValueError, RecursionError):
        return None


def todo(value):
    fields = checked(value, dict)
    title = checked(fields.get("title", ""), str)
    title.encode()
    completed = checked(fields.get("completed", False), bool)
    id = checked(fields.get("id"), str).upper()
    return id if ULID.fullmatch(id) else fail(id), title, completed


def integer(value, bits):
    end = 2 ** (bits - 1)
    return value if -end <= checked(value, int) < end else fail(value)


def checked(value, kind):
    return value if type(value) is kind else fail(value)


def fail(value):
    raise ValueError(value)


def typed(title):
    """Returns the text of a field after a title was typed: one line."""
    return title.replace("\n", "").replace("\r", "")


def sent(text):
    """Returns a text as a page sends it: with U+FFFD in place of an unpaired surrogate."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
