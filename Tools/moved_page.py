"""The HTML of a page whose other files are in a folder of their own."""

import html
import html.parser
import json
import posixpath
import re
from urllib.parse import quote, unquote, urlsplit

ADDRESSES = {"data", "href", "poster", "src", "xlink:href"}
CANDIDATES = {"imagesrcset", "srcset"}
IN_CSS = re.compile(r"""(url\(\s*["']?|@import\s+["'])([^"')]+)""")


def target(place, address):
    """Returns the path of a relative address that is used in a folder; None for others."""
    parts = urlsplit(address.strip())
    if parts.scheme or parts.netloc or not parts.path or parts.path.startswith("/"):
        return None
    return posixpath.normpath(posixpath.join(place, unquote(parts.path)))


def encoded(path):
    """Returns a path as an address, with the same characters that browsers leave as they are."""
    return quote(path, safe="/!$&'()*+,;=:@~[]|")


class Move:
    """Files that were moved into a folder at the top of a website."""

    def __init__(self, folder, paths):
        self.folder, self.paths = folder, paths

    def address(self, place, address):
        """Returns the address of a file, used in a folder of the website, after the move."""
        path = target(place, address)
        if path not in self.paths:
            return address
        rest = address.strip()[len(urlsplit(address.strip()).path) :]
        return self.address_of(place, path) + rest

    def address_of(self, place, path):
        """Returns the address of a moved file or folder in a folder of the website."""
        return encoded(posixpath.relpath(f"{self.folder}/{path}", place or "."))


class MovedPage(html.parser.HTMLParser):
    """A page with the addresses of files that were moved into a folder. The rest of its text stays.

    A module script in the page becomes a file in that folder, where its imports and
    `import.meta.url` are as those of other scripts.
    """

    # Python adds the last two only in newer versions.
    CDATA_CONTENT_ELEMENTS = ("script", "style", "textarea", "title")

    def __init__(self, path, source, move, added=None):
        """
        path: the page's path in its website
        added: a moved script that is added to the page
        """
        super().__init__(convert_charrefs=False)
        self.scripts = {}  # the texts of module scripts, by path in the folder
        self.classic_scripts = []
        self.has_base = False  # an element `base`, which gives all addresses another meaning
        self._path, self._move = path, move
        self._place = posixpath.dirname(path)
        self._source = source
        self._edits = []  # start, end, text
        self._open = None  # the script or style that has begun: its tag, attributes, place, start
        self._lines = [0, *[match.end() for match in re.finditer("\n", source)]]
        self._head_end = None
        self.feed(source)
        self.close()
        if added:
            self._add_script(added)
        self.text = self._edited()

    # MARK: Parsing

    def handle_starttag(self, tag, attributes):
        start, source = self._offset(), self.get_starttag_text()
        if tag == "base" and dict(attributes).get("href"):
            self.has_base = True
        if tag == "body" and self._head_end is None:
            self._head_end = start
        new = [(name, self._attribute(name, value)) for name, value in attributes]
        if new != attributes:
            self._edits.append((start, start + len(source), tag_of(tag, new, source)))
        if tag in {"script", "style"}:
            self._open = tag, dict(attributes), start, start + len(source)

    def handle_endtag(self, tag):
        if tag == "head" and self._head_end is None:
            self._head_end = self._offset()
        if not self._open or self._open[0] != tag:
            return
        _, attributes, start, begin = self._open
        self._open = None
        end = self._offset()
        text = self._source[begin:end]
        if tag == "style":
            self._edits.append((begin, end, self._css(text)))
        elif "src" not in attributes and text.strip():
            self._inline_script(attributes, start, begin, end)

    def _inline_script(self, attributes, start, begin, end):
        text = self._source[begin:end]
        kind = (attributes.get("type") or "").strip().lower()
        if kind == "importmap":
            self._edits.append((begin, end, json.dumps(self._import_map(json.loads(text)))))
        elif kind == "module":
            name = f"{self._path.removesuffix('.html')}.inline-{len(self.scripts) + 1}.js"
            self.scripts[name] = text
            new = [*attributes.items(), ("src", self._move.address_of(self._place, name))]
            self._edits.append((start, end, tag_of("script", new)))
        elif kind in {"", "text/javascript", "application/javascript"}:
            self.classic_scripts.append(text)

    def _add_script(self, path):
        place = len(self._source) if self._head_end is None else self._head_end
        address = self._move.address_of(self._place, path)
        self._edits.append((place, place, f'<script type="module" src="{address}"></script>\n'))

    def _offset(self):
        line, column = self.getpos()
        return self._lines[line - 1] + column

    def _edited(self):
        text, end = [], 0
        for start, stop, new in sorted(self._edits):
            text += [self._source[end:start], new]
            end = stop
        return "".join([*text, self._source[end:]])

    # MARK: Addresses

    def _attribute(self, name, value):
        if not value:
            return value
        if name in ADDRESSES:
            return self._address(value)
        if name in CANDIDATES:
            return re.sub(r"[^\s,]\S*[^\s,]", lambda match: self._address(match[0]), value)
        return self._css(value) if name == "style" else value

    def _css(self, text):
        return IN_CSS.sub(lambda match: match[1] + self._address(match[2]), text)

    def _address(self, address):
        return self._move.address(self._place, address)

    def _import_map(self, tables):
        """Returns an import map with new addresses."""
        move = self._import_address

        def addresses(table):
            return {name: move(address) for name, address in table.items()}

        moves = {
            "imports": addresses,
            "scopes": lambda table: {move(scope): addresses(table[scope]) for scope in table},
            "integrity": lambda table: {move(address): table[address] for address in table},
        }
        return {name: moves.get(name, dict)(table) for name, table in tables.items()}

    def _import_address(self, address):
        is_relative = address and address.startswith(("./", "../"))
        path = target(self._place, address) if is_relative else None
        if path is None or not address.endswith("/") and path not in self._move.paths:
            return address
        end = "/" if address.endswith("/") else ""
        return f"./{self._move.address_of(self._place, path)}{end}"


def tag_of(name, attributes, source=">"):
    """Returns a start tag that ends as its source does."""
    words = [
        word if value is None else f'{word}="{html.escape(value)}"' for word, value in attributes
    ]
    return f"<{' '.join([name, *words])}{' />' if source.endswith('/>') else '>'}"
